/** The line to the server on which states, log lines, chat and thoughts are pushed; taken up again when it breaks. */
import type { Door } from "../lib/api";
import type { ChatEntry, Difference } from "../lib/types";

/** What the server says: a whole state, or what has changed; what is new in log and chat; how far a thought has come. */
export interface Message {
  type: string;
  state?: Record<string, unknown> & { version: string };
  from?: Difference["from"];
  to?: Difference["to"];
  set?: Difference["set"];
  units?: Difference["units"];
  parts?: Difference["parts"];
  log?: { from: number; lines: Record<string, unknown>[] };
  layers?: Record<string, string[]>;
  chat?: ChatEntry[];
  what?: string;
  share?: number;
}

const SHORTEST = 500;
const LONGEST = 8000;

export class Line {
  private socket: WebSocket | null = null;
  private closed = false;
  private retry = SHORTEST;
  private wanted: string[][] = [];

  constructor(
    private readonly door: Door,
    private readonly hear: (message: Message) => void,
    private readonly broken: () => void,
    private readonly open: () => void,
  ) {}

  get up(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect(): void {
    if (this.closed) return;
    const socket = this.door.live();
    this.socket = socket;
    socket.onopen = () => {
      this.retry = SHORTEST;
      this.open();
      socket.send(JSON.stringify({ token: this.door.token || null, lang: this.door.lang, layers: this.wanted }));
    };
    socket.onmessage = (event: MessageEvent<string>) => this.hear(JSON.parse(event.data) as Message);
    socket.onclose = () => {
      if (this.closed) return;
      this.broken();
      setTimeout(() => this.connect(), this.retry);
      this.retry = Math.min(LONGEST, this.retry * 2);
    };
  }

  /** Which layers are shown: their hexes come with every state. */
  want(layers: string[][]): void {
    this.wanted = layers;
    if (this.up) this.socket!.send(JSON.stringify({ layers }));
  }

  /** Begin anew, in the language now spoken. */
  renew(): void {
    this.retry = 0;
    this.socket?.close();
  }

  close(): void {
    this.closed = true;
    this.socket?.close();
  }
}

/** The line to the server on which states, log lines, chat and thoughts are pushed; taken up again when it breaks. */
import type { Door } from "../lib/api";
import type { ChatEntry, Difference, LogNews, MapMark, State } from "../lib/types";

interface News {
  log?: LogNews;
  layers?: Record<string, string[]>;
  chat?: ChatEntry[];
  marks?: MapMark[];
}

/** What the server says: a whole state, or what has changed; how far a thought has come. */
export type Message =
  | ({ type: "state"; state: State } & News)
  | ({ type: "changes" } & Difference & News)
  | { type: "thought"; what: "move" | "suggestion"; share: number };

const SHORTEST = 500;
const LONGEST = 8000;

export class Line {
  private socket: WebSocket | null = null;
  private closed = false;
  private retry = SHORTEST;
  private wanted: [string, string | null][] = [];

  constructor(
    private readonly door: Door,
    private readonly hear: (message: Message) => void,
    private readonly broken: () => void,
    private readonly open: () => void,
    /** How many lines of the log are here already; also of each side's own, where several share the screen. */
    private readonly read: () => { log: number; own?: Record<string, number> },
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
      const { token, lang } = this.door;
      socket.send(JSON.stringify({ token: token || null, lang, protocol: 2, ...this.read(), layers: this.wanted }));
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
  want(layers: [string, string | null][]): void {
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

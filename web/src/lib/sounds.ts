/** A few short sounds, made here: nothing is fetched. Off unless the player wants them. */
import { taste } from "./taste.svelte";

type Sound = "move" | "dice" | "loss" | "turn";

interface Note {
  /** Hertz; noise where there is none. */
  pitch?: number;
  /** Seconds from the beginning, and how long. */
  at: number;
  for: number;
  loud: number;
}

const SOUNDS: Record<Sound, readonly Note[]> = {
  move: [{ at: 0, for: 0.05, loud: 0.12 }],
  dice: [0, 0.09, 0.16, 0.27].map((at) => ({ at, for: 0.04, loud: 0.2 })),
  loss: [{ pitch: 82, at: 0, for: 0.35, loud: 0.35 }, { pitch: 62, at: 0.06, for: 0.4, loud: 0.3 }],
  turn: [{ pitch: 880, at: 0, for: 0.5, loud: 0.14 }, { pitch: 1319, at: 0.02, for: 0.7, loud: 0.08 }],
};

let context: AudioContext | null = null;

export function play(sound: Sound): void {
  if (taste.of("sound") !== "on" || document.hidden) return;
  context ??= new AudioContext();
  for (const note of SOUNDS[sound]) ring(context, note);
}

function ring(audio: AudioContext, note: Note): void {
  const start = audio.currentTime + note.at;
  const volume = audio.createGain();
  volume.gain.setValueAtTime(note.loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + note.for);
  volume.connect(audio.destination);
  const source = note.pitch ? tone(audio, note.pitch) : noise(audio, note.for);
  source.connect(volume);
  source.start(start);
  source.stop(start + note.for);
}

function tone(audio: AudioContext, pitch: number): OscillatorNode {
  const found = audio.createOscillator();
  found.frequency.value = pitch;
  return found;
}

function noise(audio: AudioContext, length: number): AudioBufferSourceNode {
  const found = audio.createBufferSource();
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let k = 0; k < samples.length; k++) samples[k] = Math.random() * 2 - 1;
  found.buffer = buffer;
  return found;
}

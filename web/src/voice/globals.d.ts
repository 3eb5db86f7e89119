/** Address of the bundle that runs on the audio thread, relative to the page; set by the build. */
declare const LISTENER_URL: string;

/** What the audio thread offers; the library of types for pages leaves it out. */
declare const sampleRate: number;
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: Float32Array[][]): boolean;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

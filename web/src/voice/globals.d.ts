/** Address of the bundle that runs on the audio thread, relative to the page; set by the build. */
declare const LISTENER_URL: string;

/** The API of the audio thread, which the types for pages leave out. */
declare const sampleRate: number;
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
  abstract process(inputs: Float32Array[][]): boolean;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

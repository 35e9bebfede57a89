import type { Frame } from '../../../src/lanes/frame.ts';
import { FrameReader } from '../../../src/lanes/frame-reader.ts';
import type {
  InferenceProcess,
  InferenceProcessOptions,
  StartInferenceProcess,
} from '../../../src/lanes/start-inference-process.ts';

/** A process that exists only in the test, which speaks for it. */
export class FakeInferenceProcess implements InferenceProcess {
  readonly pid: number;
  readonly options: InferenceProcessOptions;
  /** What it was sent, oldest first. */
  readonly received: Frame[] = [];
  ending = false;
  killed = false;

  constructor(pid: number, options: InferenceProcessOptions) {
    this.pid = pid;
    this.options = options;
  }

  send(frame: Uint8Array): void {
    this.received.push(...new FrameReader().push(frame));
  }

  end(): void {
    this.ending = true;
  }

  kill(): void {
    this.killed = true;
  }

  /** Delivers the frame that these bytes are. */
  answer(bytes: Uint8Array): void {
    for (const frame of new FrameReader().push(bytes)) this.options.onFrame(frame);
  }

  die(reason: string): void {
    this.options.onEnded({ reason });
  }

  get lastId(): number {
    return this.received.at(-1)?.id ?? 0;
  }
}

/** Every process that was started, oldest first, and what starts them. */
export function fakeProcesses(): { started: FakeInferenceProcess[]; startProcess: StartInferenceProcess } {
  const started: FakeInferenceProcess[] = [];
  return {
    started,
    startProcess(options) {
      const process = new FakeInferenceProcess(started.length + 1, options);
      started.push(process);
      return process;
    },
  };
}

import type { Socket } from 'node:net';
import type { Frame } from './frame.ts';
import { FrameReader } from './frame-reader.ts';

export interface ChannelEvents {
  /** An exception from here closes the channel and becomes its fault: the other end said something senseless. */
  onFrame(frame: Frame): void;
  /** Called once. `fault` is why the channel could not go on; `undefined` when it simply ended. */
  onClosed(fault: Error | undefined): void;
}

/** One end of the pipe between the server's process and an inference process. */
export interface Channel {
  /** Dropped in silence when the channel is closed: its end has been or will be told by `onClosed`. */
  send(frame: Uint8Array): void;
  /** Resolves once the other end has room for all that was sent, or is gone. */
  flushed(): Promise<void>;
  /** Closes it once all that was sent has been written. */
  end(): void;
}

export function openChannel(socket: Socket, events: ChannelEvents): Channel {
  const reader = new FrameReader();
  let fault: Error | undefined;

  const guard = (action: () => void): void => {
    try {
      action();
    } catch (error) {
      fault ??= error instanceof Error ? error : new Error(String(error));
      socket.destroy();
    }
  };

  socket.on('data', (chunk: Uint8Array) =>
    guard(() => {
      for (const frame of reader.push(chunk)) events.onFrame(frame);
    }),
  );
  socket.on('end', () => guard(() => reader.end()));
  // Writing to a process that has just died: the death itself is reported by `onClosed` and by the process.
  socket.on('error', () => {});
  socket.on('close', () => events.onClosed(fault));

  return {
    send(frame) {
      if (socket.writable) socket.write(frame);
    },
    flushed() {
      if (!socket.writable || socket.writableLength === 0) return Promise.resolve();
      return new Promise((resolve) => {
        socket.write(new Uint8Array(0), () => resolve());
      });
    },
    end() {
      socket.end();
    },
  };
}

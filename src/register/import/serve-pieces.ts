/** The end of a thread that takes pieces: says `ready`, and sends the result of each piece with the memory it is done with. */
import { parentPort } from 'node:worker_threads'
import type { HandedPiece, PieceDone } from './threads.ts'

/** `handle` takes the pieces that this thread's `runInThreads` is given; the buffer is their bytes. */
export function servePieces<Result>(handle: (piece: never, buffer: Buffer) => Promise<Result>): void {
  parentPort?.on('message', ({ piece, slot }: HandedPiece<{ bytes: Uint8Array }>) => {
    const { buffer, byteOffset, byteLength } = piece.bytes
    void handle(piece as never, Buffer.from(buffer, byteOffset, byteLength)).then((result) =>
      parentPort?.postMessage({ result, slot } satisfies PieceDone<Result>),
    )
  })
  parentPort?.postMessage('ready')
}

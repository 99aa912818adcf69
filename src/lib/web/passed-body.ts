import type { Readable } from 'node:stream'
import { describeFailure, GuardError } from './guard-error.ts'

/** Yields a body as it comes, up to `bytesMax` bytes. A reader that stops ends the connection. */
export async function* passOn(body: Readable, bytesMax: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  body.on('error', () => {})
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength
      if (bytes > bytesMax) throw new GuardError('too_large')
      yield chunk
    }
  } catch (error) {
    throw describeOpenFailure(error, signal)
  } finally {
    body.destroy()
  }
}

/** Returns the failure of a request whose time the signal ends. */
export function describeOpenFailure(error: unknown, signal: AbortSignal): unknown {
  return error instanceof GuardError || !signal.aborted
    ? describeFailure(error)
    : new GuardError('timeout', null, error)
}

import { outgoingFetch } from './outgoing-fetch.ts'

/** An HTTP answer that never ends, read line by line. */
type LineStream = { kind: 'open'; lines: AsyncGenerator<string> } | { kind: 'refused'; status: number }

interface LineStreamOptions {
  headers: Record<string, string>
  /** No byte for this long means the connection is dead, whatever the socket says. */
  silenceMsMax: number
  lineBytesMax: number
  signal: AbortSignal
}

/** Throws when the connection cannot be made or breaks; blank lines (heartbeats) are answered as empty strings. */
export async function openLineStream(url: URL, options: LineStreamOptions): Promise<LineStream> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(new Error('the stream went silent')), options.silenceMsMax)
  const heard = () => {
    clearTimeout(timer)
    timer = setTimeout(() => silence.abort(new Error('the stream went silent')), options.silenceMsMax)
  }
  const signal = AbortSignal.any([options.signal, silence.signal])
  try {
    const response = await outgoingFetch(url, { headers: options.headers, signal, redirect: 'error' })
    if (response.status !== 200 || !response.body) {
      clearTimeout(timer)
      await response.body?.cancel()
      return { kind: 'refused', status: response.status }
    }
    return { kind: 'open', lines: readLines(response.body, { ...options, heard, end: () => clearTimeout(timer) }) }
  } catch (error) {
    clearTimeout(timer)
    throw error
  }
}

async function* readLines(
  body: AsyncIterable<Uint8Array>,
  options: { lineBytesMax: number; heard: () => void; end: () => void },
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const chunk of body) {
      options.heard()
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = parts.pop() ?? ''
      if (rest.length > options.lineBytesMax) throw new Error('a line of the stream is too long')
      yield* parts
    }
    // What follows the last line end is half a line of a connection that was cut: never an event.
  } finally {
    options.end()
  }
}

import { connect } from 'node:net'

/** Senders that take all the time in the world, a byte a second: the service has to let them go. */
export interface SlowSenders {
  opened: number
  /** Waits until each is let go, or its time is over. */
  closed(): Promise<number>
}

const BYTE_EVERY_MS = 1_000

/** `headers`: the head of the request never ends. `body`: the head is whole, and the body never ends. */
export function openSlowSenders(port: number, what: 'headers' | 'body', count: number, limitMs: number): SlowSenders {
  const endings = Array.from({ length: count }, () => sendSlowly(port, what, limitMs))
  const closed = async () => (await Promise.all(endings)).filter(Boolean).length
  return { opened: count, closed }
}

function sendSlowly(port: number, what: 'headers' | 'body', limitMs: number): Promise<boolean> {
  const head = `POST /v1/enrich HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port })
    const end = (wasClosed: boolean) => {
      clearTimeout(limit)
      clearInterval(drip)
      socket.destroy()
      resolve(wasClosed)
    }
    const limit = setTimeout(() => end(false), limitMs)
    const drip = setInterval(() => socket.write('a'), BYTE_EVERY_MS)
    socket.on('error', () => end(true)).on('close', () => end(true))
    socket.resume()
    socket.write(what === 'headers' ? `${head}x-slow: ` : `${head}content-length: 50000\r\n\r\n{"domain":"`)
  })
}

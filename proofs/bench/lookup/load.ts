/** Requests one after the other on a number of kept-alive connections, for a while. */
import { Pool } from 'undici'

export interface Target {
  url: string
  path: string
  /** Of the request with this number. */
  headersOf(place: number): Record<string, string>
  bodyOf(place: number): string
}

export interface Load {
  requests: number
  /** Sorted. */
  latenciesMs: number[]
  /** Of an answer, on average. */
  bytes: number
}

export async function sendLoad(target: Target, options: { connections: number; durationMs: number }): Promise<Load> {
  const pool = new Pool(target.url, { connections: options.connections, pipelining: 1 })
  const latenciesMs: number[] = []
  const endAtMs = performance.now() + options.durationMs
  let place = 0
  let bytes = 0
  const ask = async () => {
    while (performance.now() < endAtMs) {
      const own = place
      place += 1
      const startedAtMs = performance.now()
      const headers = { 'content-type': 'application/json', ...target.headersOf(own) }
      const answer = await pool.request({ path: target.path, method: 'POST', headers, body: target.bodyOf(own) })
      const text = await answer.body.text()
      if (answer.statusCode !== 200) throw new Error(`${target.path} answered ${answer.statusCode}: ${text}`)
      latenciesMs.push(performance.now() - startedAtMs)
      bytes += text.length
    }
  }
  try {
    await Promise.all(Array.from({ length: options.connections }, ask))
  } finally {
    await pool.destroy()
  }
  latenciesMs.sort((a, b) => a - b)
  return { requests: latenciesMs.length, latenciesMs, bytes: Math.round(bytes / latenciesMs.length) }
}

/** Reads what a service publishes for everyone. */
const BYTES_MAX = 5_000_000
const TIMEOUT_MS = 15_000

export async function fetchPublished(address: string): Promise<unknown> {
  const safe = toSafeAddress(address)
  const response = await fetch(safe, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' })
  if (!response.ok) throw new Error(`${safe} responded with status ${response.status}.`)
  const body = await response.text()
  if (body.length > BYTES_MAX) throw new Error(`${safe} sent more than it may.`)
  return JSON.parse(body)
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Over plain HTTP anyone on the way could put keys of their own there. */
function toSafeAddress(text: string): string {
  if (!URL.canParse(text)) throw new Error(`${text} is not an address of a service.`)
  const { protocol, hostname, href } = new URL(text)
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))) return href
  throw new Error(`${text} is not a safe address: it must begin with https://.`)
}

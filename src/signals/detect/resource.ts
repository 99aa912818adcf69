/**
 * Reads a resource as the register has it, without trust: its vocabularies are open, members come and go, and a
 * surprise must not stop the queue. What is not as expected is absent.
 */
export type Resource = Record<string, unknown>

export function toResource(value: unknown): Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Resource) : {}
}

export function readText(resource: Resource, member: string): string | null {
  const value = resource[member]
  // Case numbers have been integers.
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.trim() || null : null
}

export function readDate(resource: Resource, member: string): string | null {
  const value = resource[member]
  if (typeof value !== 'string' || !/^[1-9]\d{3}-\d{2}-\d{2}$/.test(value)) return null
  const at = new Date(`${value}T00:00:00Z`)
  // 30 February rolls over to March instead of failing.
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(value) ? value : null
}

export function readList(resource: Resource, member: string): unknown[] {
  const value = resource[member]
  return Array.isArray(value) ? value : []
}

export function readTexts(resource: Resource, member: string): string[] {
  return readList(resource, member).filter((value) => typeof value === 'string')
}

/** The last part of `links.self`: the streams send no other id. */
export function readId(resource: Resource): string | null {
  const self = readText(toResource(resource['links']), 'self')
  return self?.slice(self.lastIndexOf('/') + 1) || null
}

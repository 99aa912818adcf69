/** Absolute, or null for what is no address of the web. */
export function toWebAddress(href: string, base: string): string | null {
  const text = href.trim()
  if (text.length > ADDRESS_MAX) return null
  const url = URL.parse(text, base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

/** Whether an absolute address is the front page of `host`. */
export function isHomeOf(address: string, host: string): boolean {
  const [, to, path] = /^https?:\/\/([^/:?#]+)(?::\d+)?(\/[^?#]*)$/.exec(address) ?? []
  return to !== undefined && bare(to) === bare(host) && HOME.test(path ?? '')
}

const ADDRESS_MAX = 4_096

const HOME = /^\/(?:(?:index|home|default)(?:\.\w{3,5})?\/?)?$/i

const bare = (host: string) => host.replace(/^www\./, '')

/** Where a program may have people sent back to: encrypted, or on their own machine, or one of the schemes we know. */

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])
/** Redirects of editors, which are no web servers; the whole address, as any program can claim a scheme. */
const EDITORS = new Set(['cursor://anysphere.cursor-mcp/oauth/callback'])

export function isAllowedRedirect(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return false
  return url.protocol === 'https:' || isLoopback(text) || EDITORS.has(text)
}

/** A program on this machine: its port changes from one start to the next. */
export function isLoopback(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'http:' && LOOPBACK.has(url.hostname)
}

/** Returns the redirect target as the person sees it. */
export function redirectHost(text: string): string {
  const url = URL.parse(text)
  if (url === null) return text
  if (isLoopback(text)) return 'a program on your own computer'
  return url.protocol === 'https:' ? url.host : `${url.protocol}//${url.host}`
}

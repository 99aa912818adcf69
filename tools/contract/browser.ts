/** A person with a browser, as far as sign-in and consent need one: it keeps cookies, follows redirects and fills in forms. */
import { Parser } from 'htmlparser2'
import type { Answer, Call } from './client.ts'
import { describe } from './expectations.ts'
import { Mismatch } from './shown.ts'

interface Form {
  action: string
  fields: Record<string, string>
}

const HOPS_MAX = 15
const PAGE = 'text/html,application/xhtml+xml'

/** A person with a browser: types what the forms ask for, and has a session already where one is given. */
export interface Person {
  types: Record<string, string>
  session?: string
}

/** Walks from a path of the site until it is sent to `until`. */
export async function walk(
  visit: Call,
  start: string,
  { until, types, session }: Person & { until: string },
): Promise<{ arrivedAt: URL; first: Answer }> {
  const cookies = new Map(session === undefined ? [] : [['session', session]])
  const open = async (method: string, path: string, form?: Form): Promise<Answer> => {
    const headers: Record<string, string> = { accept: PAGE, cookie: toHeader(cookies) }
    if (form) headers['content-type'] = 'application/x-www-form-urlencoded'
    const body = form && new URLSearchParams({ ...form.fields, ...pick(types, form.fields) }).toString()
    const answer = await visit(method, path, { headers, body })
    for (const line of answer.headers.getSetCookie()) keepCookie(cookies, line)
    return answer
  }
  const first = await open('GET', start)
  let answer = first
  for (let hops = 0; hops < HOPS_MAX; hops += 1) {
    const location = answer.headers.get('location') ?? findRefresh(answer.text)
    if (location?.startsWith(until)) return { arrivedAt: new URL(location), first }
    const form = location === null ? findForm(answer.text) : null
    if (location === null && form === null) throw Mismatch.of('a form or a redirect', describe(answer))
    answer = form ? await open('POST', form.action, form) : await open('GET', toPath(location ?? '/'))
  }
  throw Mismatch.of(`to be sent to ${until}`, `${HOPS_MAX} pages, the last ${describe(answer)}`)
}

/** Returns the first form of a page that is sent by POST. */
function findForm(page: string): Form | null {
  let form: Form | null = null
  let isOpen = false
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'form' && attributes['method']?.toLowerCase() === 'post' && !form) {
        form = { action: attributes['action'] ?? '', fields: {} }
        isOpen = true
      }
      const field = attributes['name']
      if (isOpen && form && name === 'input' && field) form.fields[field] = attributes['value'] ?? ''
    },
    onclosetag(name) {
      if (name === 'form') isOpen = false
    },
  })
  parser.end(page)
  return form
}

/** Returns where a page leads by itself. */
function findRefresh(page: string): string | null {
  return /http-equiv="refresh" content="\d+; ?url=([^"]+)"/i.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? null
}

function toPath(location: string): string {
  const url = new URL(location, 'http://site.invalid')
  return url.pathname + url.search
}

function pick(types: Record<string, string>, fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(types).filter(([name]) => name in fields))
}

/** Keeps one cookie per name: if a name is set for several paths, the next page needs the last. */
function keepCookie(cookies: Map<string, string>, line: string): void {
  const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(line) ?? []
  if (value === '' || /expires=thu, 01 jan 1970/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}

const toHeader = (cookies: Map<string, string>) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

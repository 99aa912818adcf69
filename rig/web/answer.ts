/** The response of a healthy site: its redirects first, then a scripted response, then the file. */
import { Content, type Page } from './pages.ts'
import { type AnswerHeaders, type FoundSite, lowerNames, type ScriptedResponse } from './site.ts'

export type Scheme = 'http' | 'https'

export interface Answer {
  status: number
  headers: AnswerHeaders
  content: Content
  delayMs: number
}

export interface PageRequest {
  scheme: Scheme
  method: string
  /** The name that was asked, with its `www.` if it had one. */
  name: string
  /** Path and query, as sent. */
  target: string
}

const NOTHING = new Content(Buffer.alloc(0))

const CONTENT_TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.txt': 'text/plain',
  '.xml': 'application/xml',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
}

/** An answer before the headers that the site puts on all of them. */
interface Draft {
  status: number
  content: Content
  /** The site's own headers win over these … */
  headers: AnswerHeaders
  /** … but not over what was scripted for one path. */
  scripted?: ScriptedResponse
}

export async function answerRequest(found: FoundSite, request: PageRequest): Promise<Answer> {
  const { status, content, headers, scripted } = await draftAnswer(found, request)
  const onEvery = lowerNames(found.site.settings.headers)
  return {
    status,
    content,
    headers: { ...headers, ...onEvery, ...scripted?.headers },
    delayMs: scripted?.delayMs ?? 0,
  }
}

async function draftAnswer(found: FoundSite, request: PageRequest): Promise<Draft> {
  const { settings, pages, scripted: scriptedResponses } = found.site
  const { encoding } = settings
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return errorPage(405, encoding, { allow: 'GET, HEAD' })
  }
  const home = findHome(found, request)
  if (home) return redirect(home + request.target, 301)

  const path = toPath(request.target)
  const move = Object.hasOwn(settings.redirects, path) ? settings.redirects[path] : undefined
  if (move) return redirect(move.to, move.status)

  const scripted = scriptedResponses.find(path)
  if (scripted?.content) {
    const headers = { 'content-type': contentType('.html', encoding) }
    return { status: scripted.status ?? 200, content: scripted.content, headers, scripted }
  }
  const page = await pages.find(path)
  const draft = page ? pageAnswer(page, encoding) : errorPage(404, encoding)
  return scripted ? withoutBody(scripted, draft, encoding) : draft
}

/** The origin where this site wants to be asked, if that is another than the one that was. */
function findHome({ site, isWww }: FoundSite, { scheme, name }: PageRequest): string | null {
  const { https_redirect: isHttpsOnly, www } = site.settings
  if (scheme === 'http' && isHttpsOnly) return `https://${name}`
  if (www === 'canonical' && !isWww) return `${scheme}://www.${site.host}`
  if (www === 'redirect' && isWww) return `${scheme}://${site.host}`
  return null
}

function toPath(target: string): string {
  const path = target.split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function redirect(to: string, status: number): Draft {
  return { status, headers: { location: to }, content: NOTHING }
}

function pageAnswer({ extension, content }: Page, encoding: string): Draft {
  return { status: 200, content, headers: { 'content-type': contentType(extension, encoding) } }
}

/** A script that gives no body slows the file down or dresses it up, unless its status says that there is none. */
function withoutBody(scripted: ScriptedResponse, file: Draft, encoding: string): Draft {
  const status = scripted.status ?? file.status
  const isError = status >= 400 && status !== file.status
  return { ...(isError ? errorPage(status, encoding) : file), status, scripted }
}

function errorPage(status: number, encoding: string, headers: AnswerHeaders = {}): Draft {
  const text = `<!doctype html><title>Error ${status}</title><h1>Error ${status}</h1>\n`
  return {
    status,
    content: new Content(Buffer.from(text)),
    headers: { ...headers, 'content-type': contentType('.html', encoding) },
  }
}

function contentType(extension: string, encoding: string): string {
  const type = CONTENT_TYPES[extension] ?? 'application/octet-stream'
  return /^text\/|xml$/.test(type) ? `${type}; charset=${encoding}` : type
}

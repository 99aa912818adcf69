/** Web sites: their settings, pages and scripted responses, and the names and addresses that lead to them. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { Content, ContentCache, encodeText, FolderPages, MemoryPages, type Pages, pageName } from './pages.ts'
import type { Receiver } from './receiver.ts'
import { parseSiteSettings, type SiteJson, type SiteSettings } from './site-settings.ts'

/** A site as a test writes it down: the keys of site.json, and what the folder would hold. */
export interface SimulatedSite extends SiteJson {
  /** By path: `/`, `/privacy`, `/robots.txt`. Text is stored in the site's encoding. */
  pages?: Record<string, string | Uint8Array>
  /** The name server returns these instead of the public address that follows from the name. */
  addresses?: readonly string[]
  /** Takes every POST, whatever its path and scheme. */
  receiver?: Receiver
  /** Takes every request instead of the pages. */
  serve?: RequestListener
  /** Shares one certificate for these names with all sites that have the same list. */
  sharedNames?: readonly string[]
}

/** Makes the site of a host whenever it is asked for; null where there is none. The same for the same host. */
export type DrawSite = (host: string) => SimulatedSite | null

export interface Site {
  host: string
  settings: SiteSettings
  scripted: ScriptedResponses
  pages: Pages
  addresses: readonly string[]
  receiver: Receiver | null
  serve: RequestListener | null
  sharedNames: readonly string[] | null
}

const CACHE_BYTES_MAX = 64 * 1024 * 1024

export function createSite(
  name: string,
  { pages = {}, addresses, receiver, serve, sharedNames, ...json }: SimulatedSite,
): Site {
  const site = toSite(name, json, (encoding) => new MemoryPages(pages, encoding))
  return {
    ...site,
    addresses: addresses ?? site.addresses,
    receiver: receiver ?? null,
    serve: serve ?? null,
    sharedNames: sharedNames ?? null,
  }
}

function toSite(name: string, json: unknown, openPages: (encoding: string) => Pages): Site {
  const host = toHost(name)
  const settings = parseSiteSettings(host, json)
  const [scripted, pages] = [new ScriptedResponses(settings), openPages(settings.encoding)]
  const addresses = [publicAddress(host)]
  return { host, settings, scripted, pages, addresses, receiver: null, serve: null, sharedNames: null }
}

/** The sites of a world folder. Their settings are read now, so that a mistake shows at the start; pages when asked. */
export function loadSites(world: string): Site[] {
  const folder = join(world, 'sites')
  const cache = new ContentCache(CACHE_BYTES_MAX)
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return entries.map(({ name }) => {
    const own = join(folder, name)
    return toSite(name, readJson(join(own, 'site.json')), () => new FolderPages(own, cache))
  })
}

/** As names travel: lower case, punycode, without the dot of the root. */
export function toHost(name: string): string {
  return domainToASCII(name) || name.toLowerCase()
}

function readJson(file: string): unknown {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new Error(`${file} is not JSON`, { cause })
  }
}

/** The same for the same host; all of 45.0.0.0/8 is ordinary, public space. */
function publicAddress(host: string): string {
  const [first = 0, second = 0, third = 0] = createHash('sha256').update(host).digest()
  return `45.${first}.${second}.${1 + (third % 254)}`
}

export interface FoundSite {
  site: Site
  isWww: boolean
}

/** Drawn sites that are kept: those that are being read. */
const DRAWN_MAX = 1_000

export class Sites {
  readonly #byHost: Map<string, Site>
  readonly #draw: DrawSite | null
  readonly #drawn = new Map<string, Site>()

  constructor(sites: Iterable<Site>, draw: DrawSite | null = null) {
    this.#byHost = new Map(Array.from(sites, (site) => [site.host, site]))
    this.#draw = draw
  }

  /** True where there are too many to be counted one by one. */
  get areDrawn(): boolean {
    return this.#draw !== null
  }

  find(name: string): FoundSite | null {
    const site = this.#get(name)
    if (site) return { site, isWww: false }
    const bare = name.startsWith('www.') ? this.#get(name.slice(4)) : undefined
    return bare && bare.settings.www !== 'none' ? { site: bare, isWww: true } : null
  }

  #get(host: string): Site | undefined {
    const known = this.#byHost.get(host) ?? this.#drawn.get(host)
    if (known || !this.#draw) return known
    const drawn = this.#draw(host)
    if (!drawn) return undefined
    const site = createSite(host, drawn)
    const [oldest] = this.#drawn.size >= DRAWN_MAX ? this.#drawn.keys() : []
    if (oldest !== undefined) this.#drawn.delete(oldest)
    this.#drawn.set(host, site)
    return site
  }

  set(site: Site): void {
    this.#byHost.set(site.host, site)
  }

  delete(host: string): void {
    this.#byHost.delete(host)
  }
}

export interface ScriptedResponse {
  status: number | null
  headers: AnswerHeaders
  delayMs: number
  content: Content | null
}

/** Names in lower case. */
export type AnswerHeaders = Record<string, string | string[]>

class ScriptedResponses {
  /** Under the path as written, which begins with a slash, and under the page's name, which does not. */
  readonly #responses = new Map<string, ScriptedResponse>()

  constructor(settings: SiteSettings) {
    for (const [path, { status = null, headers, delay_ms, body }] of Object.entries(settings.responses)) {
      const ownHeaders = lowerNames(headers)
      const response = {
        status,
        headers: ownHeaders,
        delayMs: delay_ms,
        content: body === undefined ? null : toContent(body, charsetOf(ownHeaders) ?? settings.encoding),
      }
      this.#responses.set(path, response)
      if (!this.#responses.has(pageName(path))) this.#responses.set(pageName(path), response)
    }
  }

  find(path: string): ScriptedResponse | null {
    return this.#responses.get(path) ?? this.#responses.get(pageName(path)) ?? null
  }
}

export function lowerNames(headers: AnswerHeaders): AnswerHeaders {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function toContent(body: string | Uint8Array, charset: string): Content {
  return new Content(typeof body === 'string' ? encodeText(body, charset) : Buffer.from(body))
}

function charsetOf(headers: AnswerHeaders): string | undefined {
  return /charset="?([\w-]+)/i.exec(String(headers['content-type'] ?? ''))?.[1]
}

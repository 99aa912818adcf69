/** Reads what a page states beside its text: facts of its head, links, mail hosts, and names of the site. */
import { cleanLine } from './clean-text.ts'
import type { Link, PageDocument, Region } from './document.ts'
import type { Attributes } from './read-tags.ts'

/** Facts from the page's `<head>`. */
type HeadFacts = Pick<
  PageDocument,
  'title' | 'siteName' | 'description' | 'language' | 'generator' | 'metaRefresh' | 'canonical' | 'sharedAs' | 'robots'
>

export function noHeadFacts(): HeadFacts {
  return {
    title: '',
    siteName: null,
    description: null,
    language: null,
    generator: null,
    metaRefresh: null,
    canonical: null,
    sharedAs: null,
    robots: null,
  }
}

/** Reads a `<meta>`. The first value counts, but `og:site_name` has priority over `application-name`. */
export function readMeta(facts: HeadFacts, attributes: Attributes, base: string): void {
  const content = cleanLine(attributes.content ?? '', CONTENT_MAX)
  if (content === '') return
  if (attributes['http-equiv']?.trim().toLowerCase() === 'refresh') facts.metaRefresh ??= parseRefresh(content, base)
  const name = (attributes.property ?? attributes.name)?.trim().toLowerCase()
  if (name === 'og:site_name') facts.siteName = content
  else if (name === 'application-name') facts.siteName ??= content
  else if (name === 'description') facts.description ??= content
  else if (name === 'generator') facts.generator ??= content
  else if (name === 'og:url') facts.sharedAs ??= toWebAddress(content, base)
  else if (name === 'robots') facts.robots ??= content.toLowerCase()
}

/** Reads a `<link>`. */
export function readLink(facts: HeadFacts, { rel, href }: Attributes, base: string): void {
  if (rel?.toLowerCase().split(/\s+/, 10).includes('canonical')) facts.canonical ??= toWebAddress(href ?? '', base)
}

const CONTENT_MAX = 2_000

/** Returns the address in `0; url='/home'`. */
function parseRefresh(content: string, base: string): string | null {
  const target = /^[\d.\s]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)?.[1]
  return target === undefined ? null : toWebAddress(target, base)
}

/** Collects the page's links, and the hosts of its `mailto:` links. */
export class LinkList {
  readonly links: Link[] = []
  readonly mailHosts = new Set<string>()
  #resolved = 0

  /** Returns the absolute address; null for fragments, other schemes, and after too many links. */
  resolve(href: string | undefined, base: string): string | null {
    if (href === undefined || href.trimStart().startsWith('#') || this.#resolved >= RESOLVED_MAX) return null
    this.#resolved++
    if (this.mailHosts.size < MAIL_HOSTS_MAX) this.#recordMailHost(href)
    return toWebAddress(href, base)
  }

  #recordMailHost(href: string): void {
    const host = MAIL_LINK.exec(href.slice(0, MAIL_MAX))?.[1]
    if (host !== undefined) this.mailHosts.add(host.toLowerCase())
  }

  get isFull(): boolean {
    return this.links.length >= LINKS_MAX
  }

  add(href: string, text: string, region: Region): void {
    if (!this.isFull) this.links.push({ href, text: cleanLine(text, LINK_TEXT_MAX), region })
  }
}

const LINKS_MAX = 500
const LINK_TEXT_MAX = 300
const MAIL_HOSTS_MAX = 20
const MAIL_MAX = 400
const MAIL_LINK = /^\s*mailto:[^@?\s]{1,100}@([\w.-]{3,253})/i
/** Counts all `href`, also those of mail addresses and scripts. */
const RESOLVED_MAX = 5_000

/** Collects the names that the site gives itself, in its logo and in links to its home page. */
export class BrandHints {
  readonly texts: string[] = []
  readonly #seen = new Set<string>()

  get isFull(): boolean {
    return this.texts.length >= HINTS_MAX
  }

  add(text: string): void {
    if (this.isFull) return
    const line = cleanLine(text, HINT_MAX + 1)
    if (line.length > HINT_MAX) return
    const name = line.replace(/^(?:logo (?:of|for) |back to |return to |go to )/i, '').replace(LOGO_ENDING, '')
    const key = name.toLowerCase()
    if (name.length < 2 || GENERIC_NAME.test(name) || this.#seen.has(key)) return
    this.#seen.add(key)
    this.texts.push(name)
  }
}

/** True for an image whose attributes call it a logo. */
export function isLogo({ src, class: classes, id, alt }: Attributes): boolean {
  return [src, classes, id, alt].some((text) => text !== undefined && /logo(?!s|ut)/i.test(text.slice(-300)))
}

const HINTS_MAX = 10
const HINT_MAX = 120
const LOGO_ENDING = /[\s\-–—|:,(]*\b(?:logo|home ?page)\)?$/i
const GENERIC_NAME =
  /^(?:home|home ?page|welcome|hafan|start|index|main|logo|(?:site|company|header|footer|main|our|the) ?(?:logo|home)?|website|menu|here|click here|image|img|banner|brand|back|top)$/i

/** Collects the text inside links, microdata properties and brand elements, each as one string. */
export class TextCollectors {
  readonly #open: Array<{ text: string }> = []

  /** Starts to collect; the returned function stops and returns the text. */
  open(): () => string {
    const collector = { text: '' }
    // Deeper ones stay empty: only an attack nests so many.
    if (this.#open.length < OPEN_MAX) this.#open.push(collector)
    return () => {
      const index = this.#open.lastIndexOf(collector)
      if (index >= 0) this.#open.splice(index, 1)
      return collector.text
    }
  }

  add(text: string): void {
    for (const collector of this.#open) if (collector.text.length < COLLECTED_TEXT_MAX) collector.text += text
  }
}

const OPEN_MAX = 16
const COLLECTED_TEXT_MAX = 4_000

/** Returns the absolute address; null if it is not http or https. */
export function toWebAddress(href: string, base: string): string | null {
  const text = href.trim()
  if (text.length > ADDRESS_MAX) return null
  const url = URL.parse(text, base)
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null
}

/** True if an absolute address is the home page of `host`. */
export function isHomeOf(address: string, host: string): boolean {
  const [, addressHost, path] = /^https?:\/\/([^/:?#]+)(?::\d+)?(\/[^?#]*)$/.exec(address) ?? []
  return addressHost !== undefined && bare(addressHost) === bare(host) && HOME_PATH.test(path ?? '')
}

const ADDRESS_MAX = 4_096

const HOME_PATH = /^\/(?:(?:index|home|default)(?:\.\w{3,5})?\/?)?$/i

const bare = (host: string) => host.replace(/^www\./, '')

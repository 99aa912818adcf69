import { cleanLine } from './clean-text.ts'
import type { Link, Region } from './document.ts'
import { toWebAddress } from './web-address.ts'

/** The page's links in order, and the addresses of those within text. */
export class LinkList {
  readonly links: Link[] = []
  readonly mailHosts = new Set<string>()
  #resolved = 0

  /** Null for what leads nowhere else, or past the bound of what is read. */
  resolve(href: string | undefined, base: string): string | null {
    if (href === undefined || href.trimStart().startsWith('#') || this.#resolved >= RESOLVED_MAX) return null
    this.#resolved++
    if (this.mailHosts.size < MAIL_HOSTS_MAX) this.#noteMail(href)
    return toWebAddress(href, base)
  }

  #noteMail(href: string): void {
    const host = MAIL_LINK.exec(href.slice(0, MAIL_MAX))?.[1]
    if (host !== undefined) this.mailHosts.add(host.toLowerCase())
  }

  get isFull(): boolean {
    return this.links.length >= LINKS_MAX
  }

  add(href: string, text: string, region: Region): void {
    if (!this.isFull) this.links.push({ href, text: cleanLine(text, TEXT_MAX), region })
  }
}

const LINKS_MAX = 500
const TEXT_MAX = 300
const MAIL_HOSTS_MAX = 20
const MAIL_MAX = 400
const MAIL_LINK = /^\s*mailto:[^@?\s]{1,100}@([\w.-]{3,253})/i
/** Of any kind: mail addresses and scripts are looked at too. */
const RESOLVED_MAX = 5_000

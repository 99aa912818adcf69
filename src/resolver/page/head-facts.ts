import { cleanLine } from './clean-text.ts'
import type { PageDocument } from './document.ts'
import type { Attributes } from './read-tags.ts'
import { toWebAddress } from './web-address.ts'

export type HeadFacts = Pick<
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

/** What a `<meta>` says about the page. The first to say it counts, but `og:site_name` before `application-name`. */
export function readMeta(facts: HeadFacts, attributes: Attributes, base: string): void {
  const content = cleanLine(attributes.content ?? '', CONTENT_MAX)
  if (content === '') return
  if (attributes['http-equiv']?.trim().toLowerCase() === 'refresh') facts.metaRefresh ??= refreshAddress(content, base)
  const name = (attributes.property ?? attributes.name)?.trim().toLowerCase()
  if (name === 'og:site_name') facts.siteName = content
  else if (name === 'application-name') facts.siteName ??= content
  else if (name === 'description') facts.description ??= content
  else if (name === 'generator') facts.generator ??= content
  else if (name === 'og:url') facts.sharedAs ??= toWebAddress(content, base)
  else if (name === 'robots') facts.robots ??= content.toLowerCase()
}

export function readLink(facts: HeadFacts, { rel, href }: Attributes, base: string): void {
  if (rel?.toLowerCase().split(/\s+/, 10).includes('canonical')) facts.canonical ??= toWebAddress(href ?? '', base)
}

const CONTENT_MAX = 2_000

/** `0; url='/home'` */
function refreshAddress(content: string, base: string): string | null {
  const target = /^[\d.\s]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)?.[1]
  return target === undefined ? null : toWebAddress(target, base)
}

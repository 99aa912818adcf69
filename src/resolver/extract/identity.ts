import { domainToUnicode } from 'node:url'
import { toNameKey } from '../../register/words/index.ts'
import type { OpenedPage } from '../crawl/crawl.ts'
import { readRegistrable } from '../domain/registrable.ts'

/** The names of a site: its domain, and the names on its logo, titles and copyright lines. */
export interface SiteIdentity {
  /** The domain that was read; after a redirect, the final one. */
  domain: string
  /** The domain without its public suffix and hyphens: `hollhamhalifax`. Punycode is decoded. */
  label: string
  /** The label of the domain that was requested, if it redirects to a page below another site's root. */
  askedLabel: string | null
  /** The best supported first. */
  brands: Brand[]
}

export interface Brand {
  name: string
  key: string
}

const BRANDS_MAX = 12

export function readIdentity(
  { domain: asked, redirectedTo }: { domain: string; redirectedTo: string | null },
  pages: readonly OpenedPage[],
): SiteIdentity {
  const domain = redirectedTo ?? asked
  const label = toLabel(domain)
  const scores = new Map<string, { name: string; score: number; own: boolean }>()
  /** A copyright line alone does not make a brand: themes and photographers print theirs too. */
  const vote = (name: string, score: number, own = true) => {
    const clean = name.replaceAll(/[®™©]|\s+/g, ' ').trim()
    const key = toNameKey(clean)
    if (key.length < 2 || key.length > 80 || GENERIC_TITLES.has(key)) return
    const known = scores.get(key)
    const isLabel = resemblesLabel(key, label)
    if (known) {
      known.score += score
      known.own ||= own
    } else scores.set(key, { name: clean, score: score + (isLabel ? 3 : 0), own: own || isLabel })
  }
  for (const page of pages) {
    const { document } = page
    for (const hint of new Set(document.brandHints)) vote(hint, 2)
    if (document.siteName) vote(document.siteName, 3)
    for (const part of splitTitle(document.title)) vote(part, 1)
    for (const block of document.blocks) {
      for (const holder of findCopyrightHolders(block.text)) vote(holder, 1.5, false)
    }
  }
  const brands = [...scores.entries()]
    .sort(([, one], [, other]) => other.score - one.score)
    .filter(([, { score, own }]) => own && (score >= 2 || pages.length === 1))
    .slice(0, BRANDS_MAX)
    .map(([key, { name }]) => ({ name, key }))
  const path = URL.parse(pages[0]?.url ?? '')?.pathname ?? '/'
  return { domain, label, brands, askedLabel: redirectedTo !== null && path.length > 1 ? toLabel(asked) : null }
}

/** Returns the letters of the domain before its suffix, without accents and hyphens. */
export function toLabel(domain: string): string {
  const found = readRegistrable(domain)
  const [registrable, suffix] = [found.domain ?? domain, found.suffix ?? '']
  const own = registrable.slice(0, registrable.length - suffix.length - 1)
  return toNameKey(domainToUnicode(own) || own)
    .replaceAll(' ', '')
    .toLowerCase()
}

const GENERIC_TITLES = new Set(
  'HOME|HOMEPAGE|HOME PAGE|WELCOME|ABOUT|ABOUT US|CONTACT|CONTACT US|PRIVACY|PRIVACY POLICY|PRIVACY NOTICE|TERMS|TERMS AND CONDITIONS|TERMS OF USE|COOKIES|COOKIE POLICY|LEGAL|CO|HAFAN|CROESO|INDEX|UNTITLED|NEWS|BLOG|SHOP|SERVICES|PRODUCTS|OUR STORY|OUR WORK|WHO WE ARE|WHAT WE DO|FIND US|GET IN TOUCH|SAY HELLO|FAQ|FAQS|LOGO|ALL RIGHTS RESERVED|MENU|CO INFORMATION'.split(
    '|',
  ),
)

function splitTitle(title: string): string[] {
  const parts = title.split(/\s[|–—·•»:-]+\s|\s?[|»]\s?|: /).map((part) => part.trim())
  const from = / (?:from|by|at|of) (\p{Lu}.*)$/u.exec(title)
  const to = /^(?:welcome to|croeso i) (.+)$/i.exec(title)
  return [...parts, from?.[1] ?? '', to?.[1] ?? ''].filter((part) => part.length > 1 && part.length <= 60)
}

/** Finds the names in "© 2024 Little Plough" and "Copyright © The Kelshaw Company 2024. All rights reserved." */
function findCopyrightHolders(text: string): string[] {
  const holders: string[] = []
  for (const match of text.matchAll(
    /(?:©|\(c\)|\bcopyright\b|\bhawlfraint\b)[\s©]{0,8}(?:(?:19|20)\d\d(?:\s?[-–]\s?(?:19|20)?\d\d)?)?[\s,.:-]{0,8}(?:by )?([^.|·•\n©,;(]{2,60})/gi,
  )) {
    const holder = (match[1] ?? '').replace(/\s*(?:(?:19|20)\d\d.*|all rights.*|is operated.*|is owned.*)$/i, '').trim()
    if (holder.length > 1 && /^[\p{Lu}\p{N}]/u.test(holder)) holders.push(holder)
  }
  return holders.slice(0, 3)
}

function resemblesLabel(key: string, label: string): boolean {
  const letters = key.replaceAll(' ', '').toLowerCase()
  return letters.length >= 4 && (label.includes(letters) || letters.includes(label))
}

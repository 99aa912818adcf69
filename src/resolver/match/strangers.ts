/** Companies whose name is not the site's: they need more than their details to be proven. */
import { toNameKey } from '../../register/words/index.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { SiteIdentity } from '../extract/identity.ts'
import { sentenceAt } from '../extract/passages.ts'
import { isOwnName } from '../extract/relate-names.ts'
import type { SiteKind } from '../extract/site-kind.ts'
import type { Claim } from './claims.ts'
import { type Dossier, prove } from './dossier.ts'
import { isLegalText } from './legal-text.ts'

/** A site with more companies that may be meant is a list of them. */
const SOLE_MAX = 8

/** Proves the one stranger that the site gives as its own, if there is one. */
export function proveStranger(all: readonly Dossier[], findings: SiteFindings): void {
  for (const dossier of all) {
    if (dossier.standing !== 'proof' || isOwnName(dossier.relation) || isConfirmed(dossier, findings)) continue
    dossier.standing = 'plausible'
    dossier.proof = null
  }
  for (const dossier of all.filter(({ standing }) => standing === 'plausible').slice(0, SOLE_MAX)) {
    assessSoleDisclosure(dossier, all, findings)
  }
}

/**
 * False if only one inner page says that the company runs the site, without the site's name, and nothing else connects the
 * two: terms and privacy notices are copied from other sites, or stay when a site is sold.
 */
function isConfirmed(dossier: Dossier, findings: SiteFindings): boolean {
  const { certificate, structured, claims } = dossier
  if (certificate !== null || structured !== null) return true
  const isOnSite = ({ passage }: Claim) =>
    passage.region === 'footer' || passage.pages.length > 1 || passage.page.kind === 'home'
  return claims.some((claim) => claim.role === 'operator' && isOnSite(claim)) || isConnected(dossier, findings)
}

/**
 * Proves a company of another name: its details alone in the legal text, or a sentence that makes it a party to the site's
 * dealings; no other company that may be meant; and something independent that connects it with the site.
 */
function assessSoleDisclosure(dossier: Dossier, all: readonly Dossier[], findings: SiteFindings): void {
  if (dossier.company.status === 'dissolved') return
  if (!mayBeStrangers(findings.kind) || GROUP_NAME.test(dossier.company.name.toUpperCase())) return
  const key = toNameKey(dossier.company.name)
  const others = all.filter((other) => other !== dossier && toNameKey(other.company.name) !== key)
  const claim = dossier.claims.find(isWholeDisclosure) ?? null
  const isOnlyCertified = dossier.certificate !== null && dossier.claims.length === 0
  if (!claim && !isOnlyCertified) return
  if (others.some((other) => isRivalOf(other, claim))) return
  if (!(claim && isSelfContained(claim)) && !isConnected(dossier, findings)) return
  if (!claim) return prove(dossier, 'certificate')
  // Under a second copyright line, the details are what a template left behind.
  if (claim.cue === 'copyright' && hasOwnCopyright(findings)) return
  dossier.best = claim
  prove(dossier, claim.via === 'number' ? 'number_in_footer' : 'name_and_office')
}

/** Another company that may be meant: its number is printed without a sentence that makes it another party. */
const isRivalOf = ({ claims }: Dossier, claim: Claim | null): boolean =>
  claims.some(
    ({ via, role, agreement, number, passage }) =>
      (via === 'number' || claim?.via === 'name') &&
      // One of a list in the text, where the footer gives the candidate.
      !(claim?.passage.region === 'footer' && passage.row !== null && passage.region !== 'footer') &&
      (role === 'operator' || role === 'stated' || role === 'named') &&
      !(via === 'number' && number?.certainty === 'implied' && (agreement === 'unnamed' || agreement === 'conflict')),
  )

const SELF_CONTAINED = new Set(['operator_label', 'legal_name_label', 'promoter_is'])

/** Number, name and office under a label for the owner or legal name, or in the copyright line of every page. */
const isSelfContained = ({ cue, via, agreement, office, isPure, passage }: Claim): boolean =>
  (SELF_CONTAINED.has(cue) || (cue === 'copyright' && isPure && passage.pages.length > 1)) &&
  via === 'number' &&
  agreement === 'name' &&
  office === 'here'

/** A site of an ordinary business may belong to a company of any name. */
const mayBeStrangers = (kind: SiteKind): boolean =>
  [
    kind.publicBody,
    kind.club,
    kind.notCompany,
    kind.commentary,
    kind.fictional,
    kind.franchise,
    kind.placeholder,
    kind.reused,
    kind.imitation,
  ].every((words) => words === null)

/** A group's name in a footer identifies the brand, not the company of the group that runs the site. */
const GROUP_NAME = /\b(?:GROUP|HOLDINGS?|NETWORK|INTERNATIONAL|FRANCHIS\w+)\b/

/** Number and name, number and office, or name and office. */
function isWholeDisclosure(claim: Claim): boolean {
  const { via, agreement, office, listed, isPure, role, scope, cue, relation, passage } = claim
  const isParty = (role === 'operator' && scope !== 'site') || cue === 'part_of'
  if (listed || !(isLegalText(passage, isParty) || cue === 'copyright')) return false
  const isStated = role === 'stated' || role === 'operator' || role === 'named'
  // A word in common with the site's name makes up for other words beside the details.
  const isPlain = isPure || (relation.level === 'shares' && !FOR_OTHERS.test(sentenceOf(claim)))
  if (!isParty && !(isPlain && isStated)) return false
  if (via === 'name') return office === 'here' && passage.numbers.length === 0
  return agreement === 'unnamed' ? office !== 'no' : agreement !== 'conflict'
}

/** The sentence says what the company does for others. */
const FOR_OTHERS = /\b(?:by|for|on (?:our|its|their|your) behalf|not with)\b/i

function sentenceOf({ passage, printedName, number }: Claim): string {
  const at = printedName === null ? (number?.start ?? 0) : Math.max(0, passage.text.indexOf(printedName))
  const { start, end } = sentenceAt(passage, at)
  return passage.text.slice(start, end).replaceAll(/(?:limited|regulated|licensed|authorised) by/gi, '')
}

/** Footers are copied with a design, so a word of the name, or the office's town or postcode, must be elsewhere too. */
function isConnected(
  { company, claims: all, relation }: Dossier,
  { pages, identity, structured }: SiteFindings,
): boolean {
  const claims = all.slice(0, CLAIMS_MAX)
  if (relation.level === 'shares' || claims.some(({ passage }) => namesSite(passage.text, identity))) return true
  // The name by itself in the text of a page, too.
  const isOwnText = ({ role, isBare, passage }: Claim) => isBare && role === 'stated' && passage.region === 'main'
  if (claims.some(isOwnText) && claims.some(({ office, passage }) => office === 'here' && passage.region !== 'main'))
    return true
  const brandWords = new Set(identity.brands.flatMap(({ key }) => key.split(' ')))
  const isDistinctive = (word: string) => word.length >= 4 && !COMMON_WORDS.has(word)
  if (
    toNameKey(company.name)
      .split(' ')
      .some((word) => isDistinctive(word) && brandWords.has(word))
  )
    return true
  const { town, postcode } = company.address
  const code = postcode?.replaceAll(' ', '').toUpperCase()
  if (code && structured.some(({ postcodes }) => postcodes.includes(code))) return true
  const own = new Set(claims.flatMap(({ passage }) => [passage.text, ...passage.text.split('\n')]))
  const patterns = [town, postcode].flatMap((words) => (words && words.length >= 3 ? [toWordPattern(words)] : []))
  return pages.some(({ document }) =>
    [document.title, ...document.blocks.slice(0, BLOCKS_MAX).map(({ text }) => text.slice(0, BLOCK_MAX))].some(
      (text) => !own.has(text) && patterns.some((pattern) => pattern.test(text)),
    ),
  )
}

/** More text of a page takes time, and says no more about where the site's people are. */
const CLAIMS_MAX = 50
const BLOCKS_MAX = 500
const BLOCK_MAX = 600

/** True if a copyright line has the site's name. */
const hasOwnCopyright = ({ pages, identity }: SiteFindings): boolean =>
  pages.some(({ document }) =>
    document.blocks.slice(-BLOCKS_MAX).some(({ text: whole }) => {
      const text = whole.slice(0, BLOCK_MAX)
      const holder = /(?:©|\bcopyright\b)[\s©\d,–-]*(\p{L}[^.|·•\n]{1,60})/iu.exec(text)?.[1]
      return holder !== undefined && identity.brands.some(({ key }) => toNameKey(holder).startsWith(key))
    }),
  )

/** True if a text has the site's domain, or its best supported name. */
function namesSite(text: string, { domain, label, brands }: SiteIdentity): boolean {
  if (text.toLowerCase().includes(domain)) return true
  const letters = toNameKey(text.replaceAll(/©[^\n]*/g, ' ')).replaceAll(' ', '')
  const names = [label.toUpperCase(), ...brands.slice(0, 2).map(({ key }) => key.replaceAll(' ', ''))]
  return names.some((name) => name.length >= SITE_NAME_MIN && letters.includes(name))
}

const SITE_NAME_MIN = 6

const toWordPattern = (words: string) =>
  new RegExp(`(?<![\\p{L}\\d])${words.replaceAll(/[^\p{L}\p{N}]+/gu, '[^\\p{L}\\p{N}]*')}(?![\\p{L}\\d])`, 'iu')

const COMMON_WORDS = new Set(
  'LIMITED GROUP SERVICES SERVICE SOLUTIONS INTERNATIONAL TRADING COMPANY HOLDINGS ONLINE LONDON ENGLAND PARTNERS'.split(
    ' ',
  ),
)

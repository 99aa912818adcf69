import type { App } from '../../app.ts'
import type { Company } from '../../register/index.ts'
import {
  findNewest,
  isImportedLink,
  type KnownResolution,
  listLinkedDomains,
  methodOf,
  NUMBER_EVIDENCE,
  storeAnswer,
  type TriedDomain,
  type Website,
} from '../../resolution/index.ts'
import { findRegistrable, relateToDomain, resolveDomain } from '../../resolver/index.ts'
import { type DomainIdea, listGuessedDomains, listKnownDomains } from './website-candidates.ts'

/** A search reads this many sites at most, so many at once. */
const SITES_MAX = 12
const SITES_AT_ONCE = 4

interface SearchOptions {
  /** Reads every site again instead of taking what is known of it. */
  isFresh: boolean
  signal: AbortSignal
}

/**
 * Searches for the web site of a company among earlier answers, imported lists and guesses from its name. A domain counts
 * only when the resolver names this very company for it, with its number on the site. Any site can print a number: one that
 * nothing else connects with the company counts only when no other source leads to a better one.
 */
export async function searchWebsite(app: App, company: Company, options: SearchOptions): Promise<Website> {
  const search = new Search(app, company, options)
  const sources = [
    () => listKnownDomains(app.db, company, app.clock.now()),
    () => listLinkedDomains(app.db, company.number),
    () => listGuessedDomains(app, company),
  ]
  let unconnected: KnownResolution | null = null
  for (const listIdeas of sources) {
    const verified = await search.look(await listIdeas())
    if (verified && (await search.isConnected(verified))) return search.end('verified', verified)
    unconnected ??= verified
  }
  // A better site that was read meanwhile may have replaced it.
  const verified = unconnected && (await search.confirm(unconnected))
  if (verified && isMoreThanNumber(verified)) return search.end('verified', verified)
  const doubtful = search.findDoubtful()
  return doubtful ? search.end('needs_review', doubtful) : search.end('not_found', null)
}

class Search {
  readonly #app: App
  readonly #company: Company
  readonly #options: SearchOptions
  readonly #answers = new Map<string, { source: string; answer: KnownResolution }>()
  #sitesLeft = SITES_MAX

  constructor(app: App, company: Company, options: SearchOptions) {
    this.#app = app
    this.#company = company
    this.#options = options
  }

  /** Reads the sites in their order and stops at the first that is the company's. */
  async look(ideas: DomainIdea[]): Promise<KnownResolution | null> {
    const open = ideas.filter(({ domain }) => !this.#answers.has(domain))
    for (let from = 0; from < open.length && this.#sitesLeft > 0; from += SITES_AT_ONCE) {
      const batch = open.slice(from, from + Math.min(SITES_AT_ONCE, this.#sitesLeft))
      const answers = await Promise.all(batch.map((idea) => this.#ask(idea)))
      const proven = answers.filter((answer) => this.#isVerified(answer))
      const own = (await Promise.all(proven.map((answer) => this.confirm(answer)))).filter((answer) => answer !== null)
      // A name that only leads to the company's site is not its site.
      const verified = own.find((answer) => destinationOf(answer) === null) ?? own[0]
      if (verified) return this.#follow(verified)
    }
    return null
  }

  /** Returns the domain's current answer, or null when a better site has replaced it since. */
  async confirm({ domain }: KnownResolution): Promise<KnownResolution | null> {
    const { db, clock } = this.#app
    const answer = await findNewest(db, domain, { at: clock.now() })
    const before = this.#answers.get(domain)
    if (answer && before) this.#answers.set(domain, { ...before, answer })
    return answer && this.#isVerified(answer) ? answer : null
  }

  /** More than words connects the site with the company: its domain, its certificate, or an imported list. */
  async isConnected({ domain, findings: { claim, evidence, crawl } }: KnownResolution): Promise<boolean> {
    const site = claim?.site ?? crawl.redirectedTo ?? domain
    const named = claim?.named ?? relateToDomain(this.#company, site)
    if (named === 'same' || named === 'contains' || evidence.some(({ kind }) => kind === 'certificate')) return true
    return isImportedLink(this.#app.db, this.#company.number, [domain, site])
  }

  /** The site the domain leads to, where that is the company's too. */
  async #follow(answer: KnownResolution): Promise<KnownResolution> {
    const destination = destinationOf(answer)
    if (destination === null) return answer
    const there = await this.#ask({ domain: destination, source: `where ${answer.domain} leads` })
    return this.#isVerified(there) ? there : answer
  }

  async #ask({ domain, source }: DomainIdea): Promise<KnownResolution> {
    const { db, clock } = this.#app
    this.#options.signal.throwIfAborted()
    const freshness = this.#options.isFresh ? { maxAgeDays: 0 } : {}
    const known = await findNewest(db, domain, { at: clock.now(), ...freshness })
    const answer = known ?? (await this.#read(domain))
    this.#answers.set(domain, { source, answer })
    return answer
  }

  async #read(domain: string): Promise<KnownResolution> {
    const { db, clock } = this.#app
    this.#sitesLeft -= 1
    const resolution = await resolveDomain(this.#app, domain)
    this.#options.signal.throwIfAborted()
    await db.transaction((tx) => storeAnswer(this.#app, tx, resolution))
    const stored = await findNewest(db, domain, { at: clock.now() })
    if (!stored) throw new Error(`the answer for ${domain} was stored and is not there`)
    return stored
  }

  /** Both directions: the rules decided that the domain is this company's, and the site prints the company's number. */
  #isVerified(answer: KnownResolution): boolean {
    return (
      answer.companyNumber === this.#company.number &&
      methodOf(answer) === 'rules' &&
      answer.findings.evidence.some((item) => this.#isNumber(item))
    )
  }

  #isNumber({ kind, supports, strength }: KnownResolution['findings']['evidence'][number]): boolean {
    return supports === this.#company.number && strength !== 'against' && NUMBER_EVIDENCE.has(kind)
  }

  /** A site that may be the company's and does not prove it: the likeliest. */
  findDoubtful(): KnownResolution | null {
    const { number } = this.#company
    const doubtful = [...this.#answers.values()].flatMap(({ answer }) => {
      const candidate = answer.findings.candidates.find(({ companyNumber }) => companyNumber === number)
      const isOpen = answer.outcome === 'needs_review' || answer.companyNumber === number
      return candidate && isOpen ? [{ answer, confidence: candidate.confidence }] : []
    })
    return doubtful.sort((one, other) => other.confidence - one.confidence)[0]?.answer ?? null
  }

  end(status: Website['status'], answer: KnownResolution | null): Website {
    const tried = [...this.#answers.entries()].map(([domain, one]): TriedDomain => {
      const { outcome, companyNumber } = one.answer
      const isOther = companyNumber !== null && companyNumber !== this.#company.number
      return { domain, source: one.source, outcome: isOther ? 'other_company' : outcome }
    })
    return { status, domain: answer?.domain ?? null, resolutionId: answer?.id ?? null, tried }
  }
}

/**
 * The registered office is printed too, a sentence says that the site is the company's, or the domain has a word of its name.
 * An answer without a claim rests on more than a number.
 */
function isMoreThanNumber({ findings: { claim } }: KnownResolution): boolean {
  return !claim || claim.isOfficePrinted || claim.isSiteNamed || claim.named !== 'none'
}

/** Null when the domain has a site of its own. */
function destinationOf({ domain, findings }: KnownResolution): string | null {
  const { redirectedTo } = findings.crawl
  const destination = redirectedTo === null ? null : findRegistrable(redirectedTo)
  return destination === domain ? null : destination
}

import type { App } from '../../app.ts'
import type { Db } from '../../lib/db/db.ts'
import type { WebSession } from '../../lib/web/guarded-client.ts'
import type { Company } from '../../register/index.ts'
import { fitOf, listClaims } from '../../resolution/index.ts'
import { findRegistrable, sharedKindOf } from '../../resolver/index.ts'
import { guessDomains } from '../guess/guess-domains.ts'

/** A domain that may be the company's, and where the idea came from. */
export interface DomainIdea {
  domain: string
  source: string
}

const KNOWN_MAX = 5
/** Past forty guesses hardly another site is found. Those of them that do not exist cost a question to a name server. */
const GUESSES_MAX = 40
const NAMES_AT_ONCE = 10

/** Domains whose sites claim this company: those believed first, then by how well they fit and how long they are known. */
export async function listKnownDomains(db: Db, company: Company, at: Date): Promise<DomainIdea[]> {
  const claims = await listClaims(db, company, at)
  return claims
    .toSorted(
      (one, other) =>
        Number(other.state === 'held') - Number(one.state === 'held') ||
        fitOf(other, at) - fitOf(one, at) ||
        one.firstSeenAt.getTime() - other.firstSeenAt.getTime(),
    )
    .slice(0, KNOWN_MAX)
    .map(({ domain }) => ({ domain, source: 'earlier answer' }))
}

/** Domains that a company of this name may have, likeliest first: only those that exist. */
export async function listGuessedDomains(app: App, company: Company): Promise<DomainIdea[]> {
  const guesses = listGuesses(company)
  const session = app.web.openSession()
  try {
    const found: string[] = []
    for (let from = 0; from < guesses.length; from += NAMES_AT_ONCE) {
      const batch = guesses.slice(from, from + NAMES_AT_ONCE)
      const exists = await Promise.all(batch.map((domain) => hasAddress(session, domain)))
      found.push(...batch.filter((_, index) => exists[index]))
    }
    return found.map((domain) => ({ domain, source: 'company name' }))
  } finally {
    await session.close()
  }
}

async function hasAddress(session: WebSession, domain: string): Promise<boolean> {
  const answers = await Promise.allSettled([session.resolve(domain), session.resolve(`www.${domain}`)])
  return answers.some((answer) => answer.status === 'fulfilled' && answer.value.length > 0)
}

/** The likeliest by what companies do, and the whole name under each usual ending, which few do but who does is found. */
function listGuesses({ name, previousNames }: Company): string[] {
  const spelt = spellOut(name)
  const likely = guessDomains(
    { name, previousNames: previousNames.map((previous) => previous.name) },
    GUESSES_MAX - spelt.length,
  )
  const domains = [...likely.map(({ domain }) => domain), ...spelt]
  return [...new Set(domains)].filter((domain) => findRegistrable(domain) === domain && sharedKindOf(domain) === null)
}

const USUAL_ENDINGS = ['co.uk', 'com', 'uk', 'org.uk', 'net']
const LABEL_MAX = 63

function spellOut(name: string): string[] {
  const words = name
    .toLowerCase()
    .replace(LEGAL_ENDING, '')
    .replaceAll(/['’.]/g, '')
    .replaceAll('&', ' and ')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  const labels = [...new Set([words.join(''), words.join('-')])].filter(
    (label) => label !== '' && label.length <= LABEL_MAX,
  )
  return labels.flatMap((label) => USUAL_ENDINGS.map((ending) => `${label}.${ending}`))
}

const LEGAL_ENDING =
  /[\s,]+(?:limited liability partnership|community interest company|public limited company|limited partnership|limited|ltd|plc|llp|lp|c\.?i\.?c|cyfyngedig|cyf)\.?$/

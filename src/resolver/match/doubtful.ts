import { isOwnName } from '../extract/relate-names.ts'
import { type Case, noMatch, review, type Verdict } from './case.ts'
import type { Claim } from './claims.ts'
import { type Dossier, emptyDossier } from './dossier.ts'

/** A site with this many companies and numbers, none of them its own, is a list. */
const DIRECTORY = 3

const DISCLOSURE_PAGES = new Set(['legal', 'terms', 'privacy', 'about', 'contact', 'cookies'])

/** Decides a site without proof: a review if there is something to look at, or no match. */
export function decideDoubtful(site: Case): Verdict {
  return (
    decideDirectory(site) ??
    decideContradiction(site) ??
    decideUntied(site) ??
    decideFranchise(site) ??
    decideRelated(site) ??
    decideNamed(site) ??
    decideUnnamed(site)
  )
}

const listPlausible = ({ dossiers }: Case, via: Claim['via']) =>
  dossiers.filter(({ standing, best }) => standing === 'plausible' && best?.via === via)

function decideDirectory(site: Case): Verdict | null {
  const listed = listPlausible(site, 'number').filter((one) => !one.best?.listed && !isOwnName(one.relation))
  return listed.length < DIRECTORY ? null : noMatch(`The site lists ${listed.length} companies and none as its own.`)
}

/** A printed number belongs to a company of another name, or to none. */
function decideContradiction(site: Case): Verdict | null {
  const conflicts = site.dossiers.filter(({ standing }) => standing === 'conflict')
  const candidates = [...listPlausible(site, 'name'), ...listPlausible(site, 'number')]
  const [conflict] = conflicts
  if (conflict) {
    const printed = conflict.best?.printedName
    const { number, name } = conflict.company
    const contradiction = printed ? `is printed beside the name ${printed}` : 'the site does not use that name'
    return review('contradiction', `The number ${number} belongs to ${name}, but ${contradiction}.`, [
      ...candidates,
      ...conflicts,
    ])
  }
  const unregistered = site.unknown.find(
    ({ certainty, reading: { role } }) => certainty === 'stated' && (role === 'operator' || role === 'stated'),
  )
  if (!unregistered || candidates.length === 0) return null
  return review(
    'contradiction',
    `The printed number ${unregistered.printed} is not on the register, but the name is.`,
    candidates,
  )
}

/** Companies are printed with their numbers, but nothing connects one of them with the site. */
function decideUntied(site: Case): Verdict | null {
  const candidates = site.dossiers.filter(
    ({ standing, best, claims, certificate }) =>
      standing === 'plausible' && ((best?.via === 'number' && claims.some(isInLegalText)) || certificate !== null),
  )
  if (candidates.length === 0) return null
  const { kind, identity } = site.findings
  if (kind.publicBody === identity.domain) return noMatch(`The site belongs to a public body: ${identity.domain}.`)
  return review('untied', 'A company is named with its number, but nothing connects it with this site.', [
    ...candidates,
    ...listPlausible(site, 'name'),
  ])
}

/** In the footer, on a legal page, or on several pages: part of the site, not of an article. */
function isInLegalText({ passage }: Claim): boolean {
  return passage.region === 'footer' || DISCLOSURE_PAGES.has(passage.page.kind) || passage.pages.length > 1
}

function decideFranchise({ findings, dossiers }: Case): Verdict | null {
  if (findings.kind.franchise === null) return null
  const named = dossiers.filter(({ claims }) => claims.some(({ role }) => role !== 'denied'))
  if (named.length === 0) return null
  return review(
    'franchise',
    'The site is a franchise; the company behind this branch is not certain.',
    named.slice(0, 5),
  )
}

/** A company with the site's name and its number is printed, but as landlord, parent or client of the operator. */
function decideRelated({ dossiers, findings: { kind } }: Case): Verdict | null {
  if (kind.publicBody || kind.club || kind.commentary || kind.notCompany) return null
  const related = dossiers.filter(({ claims }) =>
    claims.some(({ via, role }) => via === 'number' && role === 'related'),
  )
  if (!related.some(({ relation }) => isOwnName(relation))) return null
  return review(
    'untied',
    'Companies are printed with their numbers, but none as running the site.',
    related.slice(0, 5),
  )
}

function decideNamed(site: Case): Verdict | null {
  const named = listPlausible(site, 'name')
  if (named.length === 0 || site.findings.kind.notCompany !== null) return null
  const name = named[0]?.best?.printedName
  return review('named', `The site names ${name}, but gives neither its number nor its registered office.`, named)
}

/** No company is printed. A company with exactly the site's name is no proof, but a person may check it. */
function decideUnnamed({ findings, view, dossiers }: Case): Verdict {
  const { kind, identity } = findings
  const ownerStatement = kind.notCompany ?? kind.publicBody ?? kind.club
  if (ownerStatement) return noMatch(`The site belongs to no company: it says “${ownerStatement}”.`)
  const numbers = identity.brands.slice(0, 3).flatMap(({ key }) => view.byName.get(key.replaceAll(' ', '')) ?? [])
  const namesakes = [...new Set(numbers)]
    .flatMap((number) => view.companies.get(number) ?? [])
    .filter(({ status }) => status !== 'dissolved')
  if (namesakes.length === 0 || kind.commentary !== null) return noMatch('The site prints no company as its own.')
  const toDossier = (company: Dossier['company']) =>
    dossiers.find((one) => one.company === company) ?? emptyDossier(company)
  return review(
    'namesake',
    `A company has the site's name, ${identity.brands[0]?.name}, but nothing on the site proves that it is theirs.`,
    namesakes.map(toDossier),
  )
}

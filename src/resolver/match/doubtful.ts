import { isOwnName } from '../extract/relate-names.ts'
import { type Case, noMatch, review, type Verdict } from './case.ts'
import type { Claim } from './claims.ts'
import { type Dossier, emptyDossier } from './dossier.ts'

/** This many companies with their numbers and none of them the site's own make a list. */
const DIRECTORY = 3

const SMALL_PRINT = new Set(['legal', 'terms', 'privacy', 'about', 'contact', 'cookies'])

/** Nothing is proven: what a person should look at, and when there is nothing to look at. */
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

const plausible = ({ dossiers }: Case, via: Claim['via']) =>
  dossiers.filter(({ standing, best }) => standing === 'plausible' && best?.via === via)

function decideDirectory(site: Case): Verdict | null {
  const listed = plausible(site, 'number').filter((one) => !one.best?.listed && !isOwnName(one.relation))
  return listed.length < DIRECTORY ? null : noMatch(`The site lists ${listed.length} companies and none as its own.`)
}

/** A number is printed that belongs to somebody of another name, or to nobody. */
function decideContradiction(site: Case): Verdict | null {
  const conflicts = site.dossiers.filter(({ standing }) => standing === 'conflict')
  const candidates = [...plausible(site, 'name'), ...plausible(site, 'number')]
  const [conflict] = conflicts
  if (conflict) {
    const printed = conflict.best?.printedName
    const { number, name } = conflict.company
    const but = printed ? `stands beside the name ${printed}` : 'the site does not use that name'
    return review('contradiction', `The number ${number} belongs to ${name}, but ${but}.`, [
      ...candidates,
      ...conflicts,
    ])
  }
  const misprint = site.unknown.find(({ reading: { role } }) => role === 'operator' || role === 'stated')
  if (!misprint || candidates.length === 0) return null
  return review(
    'contradiction',
    `The printed number ${misprint.printed} is not on the register, but the name is.`,
    candidates,
  )
}

/** Companies are printed with their numbers, but nothing ties one of them to the site. */
function decideUntied(site: Case): Verdict | null {
  const candidates = plausible(site, 'number').filter(({ claims }) => claims.some(isInSmallPrint))
  if (candidates.length === 0) return null
  return review('untied', 'A company is named with its number, but nothing ties it to this site.', [
    ...candidates,
    ...plausible(site, 'name'),
  ])
}

/** In the footer, on a page for it, or on several pages: part of the site and not of a story. */
function isInSmallPrint({ passage }: Claim): boolean {
  return passage.region === 'footer' || SMALL_PRINT.has(passage.page.kind) || passage.pages.length > 1
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

/** A company of the site's own name is printed with its number, but as landlord, parent or client of whoever runs it. */
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
  const named = plausible(site, 'name')
  if (named.length === 0 || site.findings.kind.notCompany !== null) return null
  const name = named[0]?.best?.printedName
  return review('named', `The site names ${name}, but gives neither its number nor its registered office.`, named)
}

/** No company is printed at all. One of exactly the site's name proves nothing, but a person may want to look. */
function decideUnnamed({ findings, view, dossiers }: Case): Verdict {
  const { kind, identity } = findings
  const explained = kind.notCompany ?? kind.publicBody ?? kind.club
  if (explained) return noMatch(`The site belongs to no company: it says “${explained}”.`)
  const numbers = identity.brands.slice(0, 3).flatMap(({ key }) => view.byName.get(key.replaceAll(' ', '')) ?? [])
  const namesakes = [...new Set(numbers)]
    .flatMap((number) => view.companies.get(number) ?? [])
    .filter(({ status }) => status !== 'dissolved')
  if (namesakes.length === 0 || kind.commentary !== null) return noMatch('The site prints no company as its own.')
  const known = (company: Dossier['company']) =>
    dossiers.find((one) => one.company === company) ?? emptyDossier(company)
  return review(
    'namesake',
    `A company has the site's name, ${identity.brands[0]?.name}, but nothing on the site proves that it is theirs.`,
    namesakes.map(known),
  )
}

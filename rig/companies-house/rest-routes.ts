/** The resources of the REST API by path. */
import type { Company } from './company.ts'
import { listCharges, listFilings, listPscStatements, listPscs } from './company-lists.ts'
import { searchCompanies } from './company-search.ts'
import { listOfficers } from './officer-list.ts'
import { presentAddress, presentProfile } from './profile.ts'
import type { Register } from './register.ts'
import { idOf } from './resources.ts'
import type { RestAnswer } from './rest-answer.ts'

/** Both have been seen in production: what clients met for years, and what the published source now writes. */
export type NotFoundBody = 'legacy' | 'current'

type Resource = (at: { register: Register; number: string; id: string; query: URLSearchParams }) => RestAnswer

const NOT_FOUND: RestAnswer = { status: 404 }

const COMPANY_RESOURCES: [path: RegExp, resource: Resource][] = [
  [/^\/registered-office-address$/, ({ register, number }) => found(register.find(number), presentOffice)],
  [/^\/officers$/, ({ register, number, query }) => listOfficers(register.find(number), query)],
  [/^\/appointments\/([^/]+)$/, ({ register, number, id }) => pick(register.find(number)?.officers, id)],
  [
    /^\/charges$/,
    ({ register, number, query }) => listCharges(register.find(number), chargesOf(register, number), query),
  ],
  [/^\/charges\/([^/]+)$/, ({ register, number, id }) => pick(chargesOf(register, number), id)],
  [/^\/filing-history$/, ({ register, number, query }) => listFilings(number, filingsOf(register, number), query)],
  [/^\/filing-history\/([^/]+)$/, ({ register, number, id }) => pick(filingsOf(register, number), id)],
  [/^\/insolvency$/, ({ register, number }) => found(register.find(number)?.insolvency, (insolvency) => insolvency)],
  [
    /^\/persons-with-significant-control$/,
    ({ register, number, query }) => listPscs(number, register.find(number)?.pscs ?? [], query),
  ],
  [
    /^\/persons-with-significant-control\/[a-z-]+\/([^/]+)$/,
    ({ register, number, id }) => pick(register.find(number)?.pscs, id),
  ],
  [/^\/persons-with-significant-control-statements$/, ({ number, query }) => listPscStatements(number, query)],
]

export function answerRest(register: Register, url: URL, notFoundBody: NotFoundBody): RestAnswer {
  if (url.pathname === '/search/companies') return searchCompanies(register, url.searchParams)
  const [, number, rest = ''] = /^\/company\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? []
  if (number === undefined) return NOT_FOUND
  if (rest === '') return answerProfile(register, number, notFoundBody)
  for (const [path, resource] of COMPANY_RESOURCES) {
    const match = path.exec(rest)
    if (match) return resource({ register, number, id: match[1] ?? '', query: url.searchParams })
  }
  return NOT_FOUND
}

function answerProfile(register: Register, number: string, notFoundBody: NotFoundBody): RestAnswer {
  const company = register.find(number)
  if (company) return { status: 200, body: presentProfile(company, register.today()) }
  if (notFoundBody === 'legacy') {
    return { status: 404, body: { errors: [{ type: 'ch:service', error: 'company-profile-not-found' }] } }
  }
  const timestamp = register.clock.now().toISOString()
  const message = `Resource not found for company profile ${number}`
  return { status: 404, body: { timestamp, message, request_id: register.ids.recordId() } }
}

function presentOffice(company: Company) {
  return {
    ...presentAddress(company.address),
    etag: company.etag,
    kind: 'registered-office-address',
    links: { self: `/company/${company.number}/registered-office-address` },
  }
}

function chargesOf(register: Register, number: string) {
  const company = register.find(number)
  return company ? register.chargesOf(company) : []
}

function filingsOf(register: Register, number: string) {
  const company = register.find(number)
  return company ? register.filingsOf(company) : []
}

function pick(items: readonly { links: { self: string } }[] | undefined, id: string): RestAnswer {
  return found(
    items?.find((item) => idOf(item) === id),
    (item) => item,
  )
}

function found<Item>(item: Item | null | undefined, present: (item: Item) => unknown): RestAnswer {
  return item === null || item === undefined ? NOT_FOUND : { status: 200, body: present(item) }
}

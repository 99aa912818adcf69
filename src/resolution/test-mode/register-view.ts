/** The register as a caller sees it: for a test key, the test companies and no others. */
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { toLondonDate } from '../../lib/clock.ts'
import type { Db } from '../../lib/db/db.ts'
import {
  type AgeCriteria,
  applyAge,
  type Company,
  type CompanyDetails,
  checkDisqualification,
  type DisqualificationCheck,
  type DocumentResult,
  type FilingPage,
  findCompanies,
  findCompaniesNamed,
  findCompany,
  findFiguresAsOf,
  findRegion,
  findSection,
  getCompanyDetails,
  isOffRegister,
  listNewestFigures,
  type Missing,
  type NewestFigures,
  type OfficerRecord,
  openDocument,
  presentStatusDetail,
  readFiling,
  readFilings,
  readOfficer,
  type SearchCandidate,
  type SearchCriteria,
  searchCompanies,
  toNameKey,
  type WantedFilings,
} from '../../register/index.ts'
import type { Requester } from '../answers/read-job.ts'
import {
  isTestNumber,
  PLAYS,
  TEST_COMPANIES,
  testCompany,
  testDetails,
  testRefusal,
  unknownTestCompany,
} from './test-answers.ts'
import { checkTestOfficer, getTestOfficer } from './test-officers.ts'

/** The longest wait for the register; what is missing by then is reported as missing. */
const DETAILS_WAIT_MS = 8_000

/** Returns the company with its officers, charges and so on; in test mode one of the test companies. */
export async function getDetailsFor(app: App, requester: Requester, companyNumber: string): Promise<CompanyDetails> {
  try {
    return await readDetailsFor(app, requester, companyNumber, DETAILS_WAIT_MS)
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'not_found') throw error
    throw new DomainError('company_not_found', error.message, { cause: error })
  }
}

/** Returns the same; throws `not_found` for a company that is not on the register. */
export async function readDetailsFor(
  app: App,
  { accountId, mode }: Requester,
  companyNumber: string,
  maxWaitMs: number,
): Promise<CompanyDetails> {
  if (mode === 'test') return getTestDetails(companyNumber, app.clock.now())
  return getCompanyDetails(app, companyNumber, { priority: 'user', maxWaitMs, accountId })
}

/** Opens the document of a filing; throws `not_found` where there is none. The test companies have none. */
export async function openDocumentFor(
  app: App,
  requester: Requester,
  { companyNumber, transactionId }: { companyNumber: string; transactionId: string },
): Promise<DocumentResult> {
  const { filings } = await readDetailsFor(app, requester, companyNumber, DETAILS_WAIT_MS)
  if (filings.missing) throw filingsUnknown(filings.missing.retryAt, app)
  const held = filings.items?.find(({ transaction_id: id }) => id === transactionId)
  // Where the register has more than we hold, it may be an older one.
  const isWhole = held !== undefined || requester.mode === 'test' || filings.total === null
  const older = isWhole ? null : await readFiling(app, { companyNumber, transactionId }, leaseFor(requester))
  if (older && 'kind' in older) throw filingsUnknown(older.retryAt, app)
  return openDocument(app, { companyNumber, filing: held ?? older ?? undefined, accountId: requester.accountId })
}

function filingsUnknown(retryAt: Date | null, { clock }: App): DomainError {
  const waitMs = retryAt ? retryAt.getTime() - clock.now().getTime() : 0
  return new DomainError(
    'unavailable',
    'We do not know the filings of this company yet and cannot ask the register at this moment. Try again later.',
    waitMs > 0 ? { retryAfterSeconds: Math.ceil(waitMs / 1_000) } : {},
  )
}

/** Returns a page of a company's filings. The test companies have none. */
export async function listFilingsFor(
  app: App,
  requester: Requester,
  wanted: WantedFilings,
): Promise<FilingPage | Missing> {
  const { officers } = await getDetailsFor(app, requester, wanted.companyNumber)
  if (requester.mode === 'test') return { kind: 'page', filings: [], total: 0, next: null, asOf: app.clock.now() }
  // Filings give no month of birth: people who are withheld are recognised by the officers that we hold.
  if (officers.missing) return { kind: 'missing', ...officers.missing }
  return readFilings(app, wanted, leaseFor(requester))
}

/** Returns the company as we have it; null when we do not. */
export async function findCompanyFor(app: App, { mode }: Pick<Requester, 'mode'>, number: string) {
  return mode === 'test' ? getTestDetails(number, app.clock.now()).company : findCompany(app.db, number)
}

/** Returns the company as we have it, or else from the register. */
export async function getCompanyFor(app: App, requester: Requester, number: string): Promise<Company> {
  const stored = requester.mode === 'live' ? await findCompany(app.db, number) : null
  return stored ?? (await getDetailsFor(app, requester, number)).company
}

export async function searchCompaniesFor(
  app: App,
  { mode }: Pick<Requester, 'mode'>,
  asked: SearchCriteria & AgeCriteria,
) {
  const criteria = applyAge(asked, toLondonDate(app.clock.now()))
  if (mode === 'test') {
    return { ...withFigures(searchTestCompanies(criteria, app.clock.now()), new Map()), figuresAsOf: undefined }
  }
  const found = await searchCompanies(app.db, criteria)
  const numbers = found.candidates.map(({ company }) => company.number)
  const figuresAsOf = asksForFigures(criteria) ? await findFiguresAsOf(app.db) : undefined
  return { ...withFigures(found, await listNewestFigures(app.db, numbers)), figuresAsOf }
}

function asksForFigures({ employeesFrom, employeesTo, netAssetsFrom, netAssetsTo }: SearchCriteria): boolean {
  return [employeesFrom, employeesTo, netAssetsFrom, netAssetsTo].some((figure) => figure !== undefined)
}

/** A company that a search found, with the figures that its filters are about. */
export interface FoundCompany extends SearchCandidate, NewestFigures {
  /** One of `REGIONS`. */
  region: string | null
}

const NO_FIGURES: NewestFigures = { employees: null, netAssets: null }

function withFigures(
  { candidates, hasMore }: { candidates: SearchCandidate[]; hasMore: boolean },
  figures: ReadonlyMap<string, NewestFigures>,
): { candidates: FoundCompany[]; hasMore: boolean } {
  const found = candidates.map((candidate): FoundCompany => {
    const { number, address } = candidate.company
    const region = address.postcode === null ? null : findRegion(address.postcode)
    return { ...candidate, ...(figures.get(number) ?? NO_FIGURES), region }
  })
  return { candidates: found, hasMore }
}

/** Returns an officer with the appointments in all companies; in test mode one of the test officers. */
export async function readOfficerFor(app: App, requester: Requester, officerId: string): Promise<OfficerRecord> {
  assertPeopleFeatures(app)
  if (requester.mode === 'test') return getTestOfficer(officerId, app.clock.now())
  return readOfficer(app, officerId, leaseFor(requester))
}

/** Checks whether the register has orders against a person of the officer's name and birth month. */
export async function checkOfficerFor(
  app: App,
  requester: Requester,
  officerId: string,
): Promise<DisqualificationCheck> {
  assertPeopleFeatures(app)
  if (requester.mode === 'test') return checkTestOfficer(officerId, app.clock.now())
  return checkDisqualification(app, officerId, leaseFor(requester))
}

const leaseFor = ({ accountId }: Requester) => ({ priority: 'user', maxWaitMs: DETAILS_WAIT_MS, accountId }) as const

function assertPeopleFeatures({ config }: App): void {
  if (config.peopleFeatures) return
  const message = 'The operator of this service has switched off other appointments and checks of officers.'
  throw new DomainError('not_found', message)
}

const NAMESAKES_MAX = 20
const CANDIDATES_MAX = 5

/** The one live company of this name. Of several, or none, the caller must choose: never the likeliest. */
export async function getCompanyNamed(db: Db, name: string): Promise<Company> {
  const key = toNameKey(name)
  const named = key === '' ? [] : await findCompaniesNamed(db, [key], NAMESAKES_MAX)
  const current = named.filter(({ isPrevious }) => !isPrevious).map(({ number }) => number)
  const alive = (await findCompanies(db, current)).filter(({ status }) => !isOffRegister(status))
  const [only, ...others] = alive
  if (only && others.length === 0) return only
  if (only) throw notOne(`${alive.length} companies are called ${name}. Ask again with the number of one.`, alive)
  const { candidates } = await searchCompanies(db, { name, page: 1 })
  throw notOne(
    `No live company is called exactly ${name}. Ask again with a number.`,
    candidates.map(({ company }) => company),
  )
}

function notOne(message: string, companies: Company[]): DomainError {
  return new DomainError('company_not_found', message, {
    candidates: companies.slice(0, CANDIDATES_MAX).map((company) => ({
      company_number: company.number,
      company_name: company.name,
      company_status: company.status,
      ...presentStatusDetail(company),
      registered_postcode: company.address.postcode,
    })),
  })
}

/** Throws `company_not_found` for any other company, and what the company plays where that is a refusal of everything. */
function getTestDetails(number: string, at: Date): CompanyDetails {
  if (!isTestNumber(number)) throw unknownTestCompany()
  if (PLAYS[number] === 'rate_limited') throw testRefusal('rate_limited')
  return testDetails(toCompany(number, at), at)
}

/** All of them fit on one page, so every further page is empty. */
function searchTestCompanies(criteria: SearchCriteria, at: Date): { candidates: SearchCandidate[]; hasMore: boolean } {
  if (criteria.page > 1) return { candidates: [], hasMore: false }
  const found = TEST_COMPANIES.map((number) => toCompany(number, at)).filter((company) => fits(company, criteria))
  const matchedOn = criteria.name === undefined ? 'postcode' : 'name'
  return { candidates: found.map((company) => ({ company, score: 1, matchedOn })), hasMore: false }
}

function toCompany(number: string, at: Date): Company {
  return { ...testCompany(at), number }
}

function fits(company: Company, criteria: SearchCriteria): boolean {
  const { name, postcode, status, accountsType, incorporatedFrom, incorporatedTo, region, sicSection } = criteria
  const { employeesFrom, employeesTo, netAssetsFrom, netAssetsTo } = criteria
  const since = company.incorporatedOn ?? ''
  return (
    (name === undefined || hasName(company, name)) &&
    (postcode === undefined || toCode(company.address.postcode ?? '').startsWith(toCode(postcode))) &&
    (status === undefined || status.toLowerCase() === company.status) &&
    (accountsType === undefined || accountsType.toLowerCase() === company.accountsType) &&
    (incorporatedFrom === undefined || since >= incorporatedFrom) &&
    (incorporatedTo === undefined || since <= incorporatedTo) &&
    (region === undefined || findRegion(company.address.postcode ?? '') === region) &&
    (sicSection === undefined || company.sicCodes.some((code) => findSection(code) === sicSection)) &&
    // Test companies have no figures.
    [employeesFrom, employeesTo, netAssetsFrom, netAssetsTo].every((end) => end === undefined)
  )
}

function hasName(company: Company, asked: string): boolean {
  const key = toNameKey(asked)
  return key !== '' && toNameKey(company.name).includes(key)
}

function toCode(postcode: string): string {
  return postcode.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

/** Returns the register's record of a test company; null for any other. */
export function findTestDetails(number: string, at: Date): CompanyDetails | null {
  return isTestNumber(number) ? testDetails({ ...testCompany(at), number }, at) : null
}

/**
 * The register: every UK company, kept current from the monthly snapshot, the streams and REST, and searchable.
 *
 * Promises: readers see whole rows, before or after a change and never between; an event is applied once however often
 * it arrives, and the stream's timepoint moves in the same transaction; every change is queued for the signals.
 * Never does: guess. What is not known is absent, with the day it was last known.
 */
export { type RegisterChange, takeChanges } from './apply-companies.ts'
export {
  type Address,
  type Company,
  type CompanyFacts,
  type CompanyRow,
  findCompany,
  formatAddress,
  isOverseasEntity,
  OFFICE_IN_DISPUTE,
  OFFICE_UNDELIVERABLE,
  parseCompanyNumber,
} from './company.ts'
export { type DerivedFacts, deriveCompanyFacts, type Resignation } from './derived.ts'
export {
  type CompanyDetails,
  type CompanyParts,
  getCompanyDetails,
  type Owner,
  PARTS,
  type Part,
} from './details/details.ts'
export { type FilingPage, readFiling, readFilings, type WantedFilings } from './details/filing-pages.ts'
export { type Freshness, readFreshness } from './details/freshness.ts'
export { deriveIdentity, IDENTITY_STATES, type IdentityDays } from './details/identity.ts'
export {
  type CompanyWithLateOfficers,
  type DuePage,
  listLateOfficers,
  listVerificationDues,
} from './details/identity-due.ts'
export {
  describeFilings,
  isInOffice,
  type Officer,
  parseOfficer,
  parsePsc,
  REGISTER_SITE,
} from './details/part-items.ts'
export { findRegistrarForm, type RegistrarForm } from './details/registrar-filings.ts'
export { readRestBudget } from './details/rest-budget.ts'
export type { Missing } from './details/rest-client.ts'
export { listUnread } from './details/unread.ts'
export { type DocumentResult, openDocument } from './documents/open-document.ts'
export { openAccountsFile } from './figures/accounts-file.ts'
export { listEmployees } from './figures/employees.ts'
export { findFiguresAsOf, listUnreadDays } from './figures/figures-as-of.ts'
export { type FiguresReport, importFigures } from './figures/import-figures.ts'
export { listNewestFigures, type NewestFigures } from './figures/newest-figures.ts'
export { type Follower, type FollowTimes, startFollowing } from './follow/follow.ts'
export { STREAM_NAMES } from './follow/streams.ts'
export { openSnapshotFile } from './import/file.ts'
export { type ImportReport, importSnapshot } from './import/import.ts'
export { type ImportProgress, silentProgress } from './import/progress.ts'
export { rebuildSearchJob } from './jobs.ts'
export { isCorporateRole, isDirector, mustVerifyIdentity, toPlainRole } from './officer-roles.ts'
export { CONTROLS, deriveControl, describeControl } from './owners/control.ts'
export { describeTop, GROUP_TOPS, type Group, type GroupTop, readGroupOf } from './owners/group.ts'
export { describeKinship } from './owners/kinship.ts'
export type { OwnedPage } from './owners/owned-companies.ts'
export { isSameCountry } from './owners/owner-number.ts'
export { type GroupOwner, OWNER_KINDS } from './owners/owners-in-force.ts'
export { listParents } from './owners/parents.ts'
export {
  type Appointment,
  isOfficerId,
  type OfficerRecord,
  readOfficer,
  unknownOfficer,
} from './people/appointments.ts'
export {
  CHECK_RESULTS,
  checkDisqualification,
  type DisqualificationCheck,
  type DisqualificationOrder,
  NOT_CHECKED_REASONS,
  ORDER_STATES,
} from './people/disqualifications.ts'
export { describeCheck, describeMissing, MAY_BE_SEVERAL_PEOPLE } from './people/people-words.ts'
export { DELETED_NAME, replaceNames, toNamePattern, WITHHELD_NAME } from './people/redact.ts'
export { type PersonRemoval, queueRemovals, takeRemovals } from './people/removals.ts'
export { removeWithheld } from './people/sweep-withheld.ts'
export { listWholeBoards } from './people/whole-boards.ts'
export {
  addWithheld,
  listWithheld,
  releaseWithheld,
  type WithheldEntry,
  type WithheldRequest,
} from './people/withheld.ts'
export { importPscs, type PscImportReport } from './pscs/import-pscs.ts'
export { type CompanyWithLateOwners, listLateOwners } from './pscs/owners-due.ts'
export { openPscSnapshot } from './pscs/snapshot-parts.ts'
export { type CompanyWithUnresolvedStatements, listUnresolvedStatements } from './pscs/unresolved-statements.ts'
export { type AgeCriteria, applyAge } from './search/age.ts'
export {
  companyVersionsSql,
  countInNames,
  findCompanies,
  findCompaniesAt,
  findCompaniesNamed,
  findKnownNumbers,
  listDueCompanies,
  parseCompanies,
  selectCompanies,
} from './search/find-companies.ts'
export { matchByName, NAME_ROWS_MAX, type NameCandidate, type NameMatch, type NameRow } from './search/match-by-name.ts'
export { toNameKey } from './search/name-key.ts'
export { findRegion, REGIONS } from './search/regions.ts'
export {
  SEARCH_PAGE_MAX,
  SEARCH_PAGE_SIZE,
  type SearchCandidate,
  type SearchCriteria,
  searchCompanies,
} from './search/search.ts'
export { rebuildSearchIndex } from './search/search-index.ts'
export { findSection, SIC_SECTION_NAMES, SIC_SECTIONS } from './search/sections.ts'
export {
  ACCOUNTS_TYPES,
  COMPANY_STATUSES,
  type CodeList,
  describeCode,
  describeNature,
  describeSector,
  describeStatus,
  isInsolvent,
  isOffRegister,
  presentStatusDetail,
  type RegisteredStatus,
  toRegisterWord,
  UNKNOWN_STATUS,
} from './vocabulary.ts'
export { findFalseStatement, isDefaultOffice, listWarnings, WARNING_CODES } from './warnings.ts'

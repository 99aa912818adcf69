/** The company as the register has it, for a record: the whole office, and officers and owners where the operator shows people. */
import type { App } from '../../app.ts'
import { toLondonDate } from '../../lib/clock.ts'
import {
  type Company,
  type CompanyDetails,
  describeCode,
  describeSector,
  describeStatus,
  formatAddress,
  isInOffice,
} from '../../register/index.ts'
import { type EvidencePack, findCompanyFor, readDetailsFor } from '../../resolution/index.ts'
import { toUtc } from './canonical.ts'

export type RegisterContent = Awaited<ReturnType<typeof readRegisterContent>>

/** The longest wait for the register. What has not come by then is recorded as missing, with the reason. */
const WAIT_MS = 4_000
const PEOPLE_MAX = 100

type Requester = Parameters<typeof readDetailsFor>[1]

export async function readRegisterContent(app: App, requester: Requester, pack: EvidencePack) {
  const { known, decision } = pack
  const number = decision ? decision.companyNumber : known.companyNumber
  const { registered } = known.findings
  const then = registered && {
    company_number: registered.number,
    company_name: registered.name,
    company_status: registered.status,
    company_status_text: describeStatus({ status: registered.status, statusDetail: null }),
    registered_postcode: registered.postcode,
    record_changed_at: toUtc(registered.changedAt),
  }
  return { compared_with: then, ...(await readCompany(app, requester, number)) }
}

async function readCompany(app: App, requester: Requester, number: string | null) {
  const nothing = { company: null, officers: null, owners: null }
  if (number === null) return nothing
  if (!app.config.peopleFeatures) {
    const company = await findCompanyFor(app, requester, number)
    return { ...nothing, company: company && presentCompany(company) }
  }
  const details = await readDetailsFor(app, requester, number, WAIT_MS)
  return {
    company: presentCompany(details.company),
    officers: presentOfficers(details, toLondonDate(app.clock.now())),
    owners: presentOwners(details),
  }
}

function presentCompany(company: Company) {
  return {
    company_number: company.number,
    company_name: company.name,
    company_status: company.status,
    company_status_text: describeStatus(company),
    company_type: company.type,
    company_type_text: describeCode('company_type', company.type),
    incorporated_on: company.incorporatedOn,
    dissolved_on: company.dissolvedOn,
    registered_office: formatAddress(company.address),
    office: {
      care_of: company.address.careOf,
      po_box: company.address.poBox,
      line_1: company.address.line1,
      line_2: company.address.line2,
      town: company.address.town,
      county: company.address.county,
      country: company.address.country,
      postcode: company.address.postcode,
    },
    sic_codes: company.sicCodes,
    sic_codes_text: company.sicCodes.map(describeSector),
    previous_names: company.previousNames,
    remarks: company.remarks,
    remarks_text: company.remarks && company.remarks.map((code) => describeCode('remark', code)),
    record_changed_at: company.changedAt.toISOString(),
  }
}

/** The people in office, by name and role. Birth, nationality and residence prove nothing about a site and stay out. */
function presentOfficers({ officers }: CompanyDetails, today: string) {
  const items = (officers.items ?? []).filter((officer) => isInOffice(officer, today))
  return {
    ...presentPart(officers, items.length),
    items: items
      .slice(0, PEOPLE_MAX)
      .map(({ name, role, role_text, appointed_on }) => ({ name, role, role_text, appointed_on })),
  }
}

function presentOwners({ pscs, ownerStatements }: CompanyDetails) {
  const items = (pscs.items ?? []).filter(({ is_ceased }) => !is_ceased)
  return {
    ...presentPart(pscs, items.length),
    items: items
      .slice(0, PEOPLE_MAX)
      .map(({ name, kind, kind_text, natures_of_control, natures_of_control_text, notified_on }) => ({
        name,
        kind,
        kind_text,
        natures_of_control,
        natures_of_control_text,
        notified_on,
      })),
    statements: (ownerStatements ?? []).filter(({ ceased_on }) => ceased_on === null),
  }
}

type Part = Pick<CompanyDetails['officers'], 'asOf' | 'missing'>

function presentPart({ asOf, missing }: Part, inForce: number) {
  return { as_of: asOf && asOf.toISOString(), missing: missing && missing.reason, in_force: inForce }
}

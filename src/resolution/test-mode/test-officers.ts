/** Officers for a test key: one for each result of the check for disqualifications. */
import {
  type DisqualificationCheck,
  type DisqualificationOrder,
  type OfficerRecord,
  unknownOfficer,
} from '../../register/index.ts'
import { testCompany } from './test-answers.ts'

/** The part that each test officer plays. */
const RESULTS = {
  'TEST-OFFICER-NONE-FOUND-001': 'none_found',
  'TEST-OFFICER-FOUND-00000001': 'found',
  'TEST-OFFICER-POSSIBLE-00001': 'possible',
  'TEST-OFFICER-UNCHECKED-0001': 'not_checked',
} as const

const isTestOfficer = (id: string): id is keyof typeof RESULTS => Object.hasOwn(RESULTS, id)

/** Throws `not_found` for an officer that is not a test officer. */
export function getTestOfficer(officerId: string, at: Date): OfficerRecord {
  if (!isTestOfficer(officerId)) throw unknownOfficer()
  const { number, name, status } = testCompany(at)
  return {
    officerId,
    registerUrl: `https://find-and-update.company-information.service.gov.uk/officers/${officerId}/appointments`,
    name: 'Jane TESTER',
    nameParts: { forenames: ['JANE'], surname: 'TESTER', written: 'Jane TESTER' },
    dateOfBirth: RESULTS[officerId] === 'not_checked' ? null : { month: 6, year: 1980 },
    isCompany: false,
    appointments: [
      {
        companyNumber: number,
        companyName: name,
        companyStatus: status,
        companyStatusText: 'Active',
        role: 'director',
        roleText: 'Director',
        appointedOn: '2015-03-02',
        appointedBefore: null,
        resignedOn: null,
      },
    ],
    total: 1,
    asOf: at,
    missing: null,
  }
}

export function checkTestOfficer(officerId: string, at: Date): DisqualificationCheck {
  const { name, dateOfBirth } = getTestOfficer(officerId, at)
  const result = isTestOfficer(officerId) ? RESULTS[officerId] : 'none_found'
  const isChecked = result !== 'not_checked'
  return {
    officer: { officerId, name, dateOfBirth },
    result,
    reason: isChecked ? null : 'no_birth_date',
    retryAt: null,
    orders: result === 'found' || result === 'possible' ? [toOrder(result)] : [],
    asOf: isChecked ? at : null,
  }
}

function toOrder(result: 'found' | 'possible'): DisqualificationOrder {
  return {
    name: result === 'found' ? 'Jane TESTER' : 'Jane Mary TESTER',
    state: 'expired',
    from: '2012-04-02',
    until: '2014-04-01',
    type: 'undertaking',
    typeText: 'Undertaking',
    reason: 'order-or-undertaking-and-reporting-provisions',
    reasonText: 'Disqualification order or undertaking; and reporting provisions',
    actText: 'Company Directors Disqualification Act 1986, section 7',
    companyNames: ['TEST MODE OLD TRADING LTD'],
    courtName: null,
    hasPermissionToAct: false,
    registerUrl: 'https://find-and-update.company-information.service.gov.uk/register-of-disqualifications/A',
  }
}

/** Evidence records as documents are made from: a usual one, the longest that can be, and one with words that want to break it. */
import type { FiledRecord } from '../src/evidence/document/filed-record.ts'

const AT = '2026-11-18T09:30:00.000Z'
const HASH = '5352ec9075bb8f9aa4290644ce27949122c5ee0cd3bf47349de3be835f85e84b'

export function makeUsualRecord(): FiledRecord {
  const name = 'HARBOUR LANTERN COFFEE ROASTERS LTD'
  const number = '08496536'
  const quote = `Terms of use Harbour Lantern Coffee Roasters Ltd. Registered in England and Wales No. ${number}`
  const url = 'https://harbourlantern.co.uk/legal/terms'
  return {
    kind: 'nameplate.evidence',
    version: 1,
    id: 'evd_NtcFWzR5cMX2vaDAHccHA2dh45m',
    made_at: AT,
    mode: 'live',
    made_by: { service: 'https://nameplate.example', release: '1.0.0' },
    made_for: { account_id: 'acc_CtMGab01ZQeHAGZD4TvlnnPBPhC' },
    question: {
      asked: 'Which UK registered company runs this web site?',
      domain: 'harbourlantern.co.uk',
      resolution_id: 'res_kVmIidl8xKtyGzJ0N3tA4FHahPP',
      resolved_at: AT,
    },
    answer: {
      outcome: 'matched',
      company_number: number,
      company_name: name,
      confidence: 0.96,
      reason: `The site prints ${name} with its number ${number} as its own.`,
    },
    checklist: [
      { name: 'number', met: true, says: `The site prints company number ${number}.` },
      { name: 'name', met: true, says: 'The site prints the registered name, as the register has it.' },
      { name: 'runs_site', met: false, says: 'No sentence says that this company runs the site.' },
    ],
    quotes: [
      {
        kind: 'company_number',
        quote,
        says: `It prints ${name} with its number.`,
        strength: 'decisive',
        supports: number,
        url,
        fetched_at: AT,
        page_sha256: HASH,
      },
    ],
    pages: [{ url, status: 200, fetched_at: AT, sha256: HASH }],
    crawl: { finding: 'read', reason: '', redirected_to: null },
    candidates: [
      { company_number: number, company_name: name, confidence: 0.96, reasons: ['The site prints the number.'] },
    ],
    considered: [{ company_number: number, company_name: name, says: 'It prints the number.', quote, url }],
    method: {
      decided_by: 'rules',
      model_version: '2026-11-16',
      weights_version: '2026-11-16',
      weights: { prior: -22.4, total: 4.58, margin: null, features: [], runner_up: null },
      second_reader: null,
    },
    register: {
      compared_with: {
        company_number: number,
        company_name: name,
        company_status: 'active',
        company_status_text: 'Active',
        registered_postcode: 'EX8 6XX',
        record_changed_at: AT,
      },
      company: {
        company_number: number,
        company_name: name,
        company_status: 'active',
        company_status_text: 'Active',
        company_type: 'ltd',
        company_type_text: 'Private limited company',
        incorporated_on: '2013-04-18',
        dissolved_on: null,
        registered_office: '4 THE OLD DAIRY, VICTORIA TERRACE, EXETER, DEVON, EX8 6XX',
        office: {
          care_of: null,
          po_box: null,
          line_1: '4 THE OLD DAIRY',
          line_2: 'VICTORIA TERRACE',
          town: 'EXETER',
          county: 'DEVON',
          country: null,
          postcode: 'EX8 6XX',
        },
        sic_codes: ['56102'],
        sic_codes_text: ['Unlicensed restaurants and cafes'],
        previous_names: [],
        remarks: null,
        remarks_text: null,
        record_changed_at: AT,
      },
      officers: {
        as_of: AT,
        missing: null,
        in_force: 1,
        items: [
          { name: 'LLEWELLYN, Rachel Katarzyna', role: 'director', role_text: 'Director', appointed_on: '2018-07-20' },
        ],
      },
      owners: { as_of: AT, missing: null, in_force: 0, items: [], statements: [] },
    },
    decision: null,
  }
}

/** Every text of the record that others write becomes this one, and every list gets `times` of its first item. */
export function makeRecordOf(text: string, times: number): FiledRecord {
  const record = makeUsualRecord()
  const { company, officers, owners } = record.register
  const many = <T>(items: T[]): T[] => Array.from({ length: times }, () => items[0] as T)
  if (!company || !officers || !owners) throw new Error('the usual record has all parts')
  return {
    ...record,
    question: { ...record.question, domain: text },
    answer: { ...record.answer, outcome: 'needs_review', company_name: text, reason: text },
    checklist: many(record.checklist.map((check) => ({ ...check, says: text }))),
    quotes: many(record.quotes.map((quote) => ({ ...quote, quote: text, says: text, url: text }))),
    pages: many(record.pages.map((page) => ({ ...page, url: text }))),
    crawl: { finding: 'read', reason: text, redirected_to: text },
    candidates: many(
      record.candidates.map((one) => ({ ...one, company_name: text, reasons: Array.from({ length: 9 }, () => text) })),
    ),
    method: { ...record.method, model_version: text, weights_version: text },
    register: {
      ...record.register,
      company: { ...company, company_name: text, registered_office: text, sic_codes: many(company.sic_codes) },
      officers: { ...officers, in_force: times, items: many(officers.items.map((one) => ({ ...one, name: text }))) },
      owners: {
        ...owners,
        in_force: times,
        items: Array.from({ length: times }, () => ({
          name: text,
          kind: 'individual-person-with-significant-control',
          kind_text: 'Individual',
          natures_of_control: ['ownership-of-shares-75-to-100-percent'],
          natures_of_control_text: ['Ownership of shares: 75% or more'],
          notified_on: '2016-04-06',
        })),
      },
    },
    decision: {
      action: 'accept',
      company_number: '08496536',
      disputed_company_number: null,
      reviewer: text,
      reason: text,
      decided_at: AT,
    },
  }
}

/** Words of strangers that want to break a document: scripts, marks, code and lengths. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  'code of the typesetter': '#read("/etc/passwd") #eval("1") $x$ <label> @ref \\ // /* ] [ } {',
  'right to left': 'شركة المصباح المحدودة رقم 08496536 חברת הפנס בע״מ',
  'marks that turn the direction': '\u202e56369480 oN\u202c \u2067abc\u2069',
  emoji: '☕️ 👩‍👩‍👧‍👦 🏴󠁧󠁢󠁷󠁬󠁳󠁿 😀 Ltd',
  'Chinese and Thai': '港灯咖啡烘焙有限公司 บริษัท โคมไฟ จำกัด',
  'marks above marks': `Z${'\u0301\u0489'.repeat(60)}`,
  'controls and halves': 'a\u0000b\u0007c\ud800d\udfffe\ufffe',
  'private use': '\ue000\uf8ff\u{f0000}\u{10fffd}',
  'no space': 'x'.repeat(5_000),
  'only spaces': ' \n\t'.repeat(5_000),
  'long words': 'Registered office of the company in England and Wales. '.repeat(400),
  nothing: '',
}

import { toNameKey } from '../../register/words/index.ts'
import type { OtherNumber } from '../extract/company-numbers.ts'
import type { SiteFindings } from '../extract/findings.ts'
import type { LegalName } from '../extract/legal-names.ts'
import type { Passage } from '../extract/passages.ts'
import { isOwnName, relateToSite } from '../extract/relate-names.ts'
import type { RoleReading } from '../extract/role.ts'
import { quoteOf } from './quote.ts'
import type { RegisterView } from './register-view.ts'
import { hasForeignNumber, readRoleAt } from './role-in-passage.ts'

/** A passage in which the site names a company of another country. */
export interface ForeignClaim extends RoleReading {
  name: string | null
  country: string
  /** The company has the site's name. */
  isSites: boolean
  /** Another country's register number is printed too, not only the legal form in the name. */
  registered: boolean
  passage: Passage
  quote: string
}

/** A site with more foreign companies is a list. Each claim costs a reading of its passage. */
const FOREIGN_MAX = 100

export function readForeignClaims(findings: SiteFindings, view: RegisterView): ForeignClaim[] {
  const claims: ForeignClaim[] = []
  for (const passage of findings.passages) {
    const registers = passage.others.filter(({ foreign }) => foreign)
    for (const name of passage.names) {
      const register = hasForeignNumber(passage, name) ? registers[0] : undefined
      const country = name.country ?? register?.of ?? findOffshore(passage, name) ?? findIrish(passage)
      if (country === undefined || claims.length >= FOREIGN_MAX) continue
      claims.push(toForeignClaim(findings, view, passage, name, country, registers))
    }
    if (passage.names.length === 0 && registers[0]) {
      const [register] = registers
      const reading = readRoleAt(findings, passage, register, null, { level: 'none', with: '' })
      claims.push({
        name: null,
        country: register.of,
        ...reading,
        isSites: false,
        registered: true,
        passage,
        quote: quoteOf(passage, [register]),
      })
    }
  }
  for (const { page, country, quote } of findings.foreignWords) {
    const passage = findings.passages.find((one) => one.page === page)
    if (passage) {
      claims.push({
        name: null,
        country,
        role: 'operator',
        cue: 'foreign_words',
        scope: 'site',
        words: quote,
        isExplicit: true,
        isSites: true,
        registered: false,
        passage,
        quote,
      })
    }
  }
  return claims
}

/** Returns `Ireland` if the passage has an Irish address, none in the UK, and no number longer than Ireland's. */
export function findIrish({ text, postcodes, numbers }: Passage): string | undefined {
  const isShort = numbers.every(({ printed }) => /^\d{4,6}$/.test(printed))
  return postcodes.length === 0 && isShort && IRISH_ADDRESS.test(text) ? 'Ireland' : undefined
}

/** An Eircode, the country at the end of an address, or an Irish VAT number. */
const IRISH_ADDRESS =
  /\b[AC-FHKNPRTV-Y]\d[\dW] ?(?=\d{0,3}[A-Z])[\dAC-FHKNPRTV-Y]{4}\b|[,(]\s*(?:Republic of )?Ireland\b|\bVAT:? ?(?:no\.?|number)?:? ?IE ?\d/u

/** Countries whose companies are also called "Limited", recognised by the address after the name. */
const OFFSHORE =
  /\b(?:st\.? vincent(?: (?:and|&) the grenadines)?|marshall islands|belize|vanuatu|comoros|saint lucia|seychelles|british virgin islands|cayman islands|republic of panama|labuan)\b/i

function findOffshore({ text, numbers }: Passage, { end }: LegalName): string | undefined {
  return numbers.length > 0 ? undefined : OFFSHORE.exec(text.slice(end, end + 250))?.[0]
}

function toForeignClaim(
  findings: SiteFindings,
  view: RegisterView,
  passage: Passage,
  name: LegalName,
  country: string,
  registers: OtherNumber[],
): ForeignClaim {
  const relation = relateToSite(toNameKey(dropForeignEnding(name.name)), findings.identity, view.isRare)
  const reading = readRoleAt(findings, passage, name, null, relation)
  return {
    name: name.name,
    country,
    ...reading,
    isSites: isOwnName(relation),
    registered: registers.length > 0 || (country === 'Ireland' && isOwnName(relation)),
    passage,
    quote: quoteOf(passage, [name, ...registers.slice(0, 1)]),
  }
}

function dropForeignEnding(name: string): string {
  return name.replace(
    /,?\s+(?:\(?(?:pte|pty|pvt|private)\)?\.? ?(?:ltd|limited)|gmbh.*|ug.*|[\w./]{1,8}\.?(?: z o\.? ?o\.?)?)\.?$/i,
    '',
  )
}

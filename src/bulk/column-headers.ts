/** Names of columns, as people and export tools write them, and what each says about its column. */
import type { Holds } from './column-kinds.ts'

/** No column has a longer name. */
export const NAME_CHARS_MAX = 200

const list = (names: string) => names.split(',').map((name) => name.trim())

/** Compared without capitals, accents, spaces and signs. The first list of each kind is sure, the second is likely. */
const NAMES: Record<Holds, [sure: string[], likely: string[]]> = {
  domain: [
    list(`domain, domains, domain name, company domain, company domain name, root domain, primary domain, web domain,
      website domain, account domain, organization domain, organisation domain, client domain, domaine, nom de
      domaine, dominio, domein, domäne, firmendomain`),
    list(`email domain, host, hostname, host name, domain names, additional domains`),
  ],
  email: [
    list(`email, e-mail, emails, email address, e-mail address, mail, work email, business email, contact email,
      company email, primary email, email 1, person email, email primary, e-mail-adresse, email adresse,
      emailadres, e-mailadres, courriel, adresse e-mail, adresse email, correo, correo electronico, posta
      elettronica, indirizzo email, e-post`),
    list(`personal email, secondary email, email 2, other email, billing email, invoice email, lead email`),
  ],
  web_address: [
    list(`website, web site, websites, website url, company website, company website url, company url, web address,
      website address, web, homepage, home page, url, site url, account website, organization website,
      organisation website, corporate website, internet, www, webseite, internetseite, site web, site internet,
      sitio web, pagina web, sito web, sito, site, hemsida`),
    list(`urls, link, web page, webpage, page, address url, landing page`),
  ],
  company_name: [
    list(`company, company name, companies, account name, account, organization, organisation, organization name,
      organisation name, business name, legal name, registered name, company legal name, legal entity, legal
      entity name, entity name, trading name, company account, company name for emails, associated company, firm,
      firm name, supplier, supplier name, vendor, vendor name, customer, customer name, client, client name,
      employer, firma, firmenname, unternehmen, unternehmensname, name der firma, societe, nom de la societe,
      entreprise, nom de l'entreprise, raison sociale, empresa, nombre de la empresa, razon social, azienda,
      ragione sociale, nome azienda, bedrijf, bedrijfsnaam, foretag, foretagsnamn, virksomhed`),
    list(`name, names, business, brand, debtor, creditor, merchant, nom, nombre, nome, naam, entity, partner, lead
      company, parent company`),
  ],
  company_number: [
    list(`company number, companynumber, company no, company no., company registration number, company registration
      no, company reg number, company reg no, company reg, co reg no, co. reg. no., company registration,
      registered number, registered no, registered company number, registration number, registration no, reg
      number, reg no, reg. no., crn, companies house number, companies house no, companies house id, ch number,
      company house number, uk company number, uk registration number, co number, co no, handelsregisternummer,
      firmennummer, numero d'entreprise, numero de registro, kvk nummer`),
    list(`number, registration, registry number, company id, company ref, entity number, national id, legal id`),
  ],
  postcode: [
    list(`postcode, post code, postal code, postalcode, zip, zip code, zipcode, zip/postal, zip/postal code, zip or
      postal code, billing zip/postal code, billing postal code, billing zip, company postal code, company zip,
      mailing zip/postal code, shipping zip/postal code, registered postcode, office postcode, company postcode,
      address postcode, regaddress.postcode, plz, postleitzahl, code postal, codigo postal, codice postale, cap`),
    list(`shipping postal code, home postcode, delivery postcode, pc, pcode`),
  ],
}

/** Words by which a longer name says the same, at least likely. */
const WORDS: Array<[words: RegExp, holds: Holds]> = [
  [/\be ?mail\b/, 'email'],
  [/\bdomain\b/, 'domain'],
  [/\b(?:website|web site|homepage|url)\b/, 'web_address'],
  [/\b(?:postcode|post code|postal code|zip)\b/, 'postcode'],
  [
    /\b(?:company|registration|registered|companies house|co) (?:reg(?:istration)? )?(?:number|no|num|nr)\b|\bcrn\b/,
    'company_number',
  ],
  [/\b(?:company|organi[sz]ation|business|account|legal|supplier|customer) name\b/, 'company_name'],
]
/** Names of columns that hold something else, however much their values look alike. */
const OTHERS =
  /linked ?in|facebook|twitter|instagram|youtube|crunchbase|logo|avatar|image|photo|tracking|unsubscribe|\b(?:phone|fax|mobile|tel|telephone|vat|utr|duns|siren|siret|sic|iban|account number|account no|order|invoice|revenue|turnover|employees|headcount|date|created|updated|birth|count|quantity|price|amount|total|latitude|longitude)\b/
const NOT_A_COMPANY =
  /\b(?:first|last|full|sur|contact|person|people|owner|user|file|campaign|product|job|deal|list|sequence|school)\b/

export interface HeaderSays {
  holds: Map<Holds, number>
  /** It names something else. */
  isOther: boolean
}

/** Returns how surely a name says what its column holds: 1 or 0.6 by the lists, 0.5 by a word in it. */
export function readHeader(name: string): HeaderSays {
  if (name.length > NAME_CHARS_MAX) return { holds: new Map(), isOther: false }
  const plain = toWords(name)
  const key = plain.replaceAll(' ', '')
  const holds = new Map<Holds, number>()
  const isOther = OTHERS.test(plain)
  if (key === '' || isOther) return { holds, isOther }
  for (const [kind, lists] of KEYS) {
    const found = lists.findIndex((names) => names.has(key) || names.has(key.replace(/s$/, '')))
    if (found >= 0) holds.set(kind, found === 0 ? 1 : 0.6)
  }
  for (const [words, kind] of WORDS) if (!holds.has(kind) && words.test(plain)) holds.set(kind, 0.5)
  if (NOT_A_COMPANY.test(plain)) holds.delete('company_name')
  return { holds, isOther }
}

/** Whether the name of a column is one that people give to columns. */
export function isKnownHeader(name: string): boolean {
  if (name.length > NAME_CHARS_MAX) return false
  const { holds, isOther } = readHeader(name)
  return isOther || holds.size > 0 || USUAL.has(toWords(name))
}

/** Names of columns that are of no use here, and show that a row is a header. */
const USUAL = new Set(
  list(`id, ref, reference, record id, notes, note, comments, status, type, industry, sector, city, town, county,
      state, country, region, street, address, address 1, address line 1, first name, last name, surname, title,
      job title, contact, contact name, owner, source, lead source, stage, tags, size, score, rank, value,
      currency, description, percent, share, spend`),
)

const KEYS = (Object.entries(NAMES) as Array<[Holds, string[][]]>).map(
  ([kind, lists]) =>
    [kind, lists.map((list) => new Set(list.map((name) => toWords(name).replaceAll(' ', ''))))] as const,
)

export function toWords(name: string): string {
  return name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

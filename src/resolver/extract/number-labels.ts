import type { Span } from './sentences.ts'

/**
 * The words beside a number that say what it is. `company`: a UK company number. `generic` ("Reg. No.", "No."): depends on
 * the words before it. `other`: a number of another kind. `foreign`: a number of another country's company register.
 */
export interface Label extends Span {
  kind: 'company' | 'generic' | 'other' | 'foreign'
  /** The kind or country, for `other` and `foreign`: "charity", "VAT", "Germany". */
  of: string
  text: string
}

const NUMBER_WORD = '(?:numbers?|nos?\\b\\.?|nr\\.?|num\\b\\.?|#|n[º°]\\.?|id\\b|code\\b|identifier)'

const COMPANY = [
  `(?:uk |british |english |scottish |limited |private )?(?:compan(?:y|ies)|corporate|business|co\\b\\.?|llp|partnership)(?:'s|’s)?(?: house)?[ ,]{0,2}(?:registration|registered|incorporation|reg\\b\\.?|regd\\b\\.?|regn\\b\\.?)?[ ,]{0,2}${NUMBER_WORD}`,
  `(?:compan(?:y|ies)|co\\b\\.?|llp)(?: house)? (?:registration|reg\\b\\.?|regd\\b\\.?|registered)`,
  `registered (?:uk )?(?:compan(?:y|ies)|business|llp)(?: (?:${NUMBER_WORD}|registration))?`,
  `companies house(?: (?:registration|reg\\b\\.?|registered|record|ref(?:erence)?\\b\\.?|filing))?(?: ${NUMBER_WORD})?`,
  `\\bcrn\\b`,
  `(?:registered|incorporated|reg\\b\\.?|regd\\b\\.?|established|formed|registration)(?: (?:and registered|office))? (?:in|at|with|:) ?(?:the )?(?:cardiff,? wales|england(?:,? (?:and|&|\\+) wales| ?[/&] ?wales|,? wales)?|wales|scotland|northern ireland|n\\.? ?ireland|ni\\b|great britain|gb\\b|the uk|uk\\b|united kingdom|edinburgh|cardiff|belfast|companies house)(?: (?:and wales|& wales))?`,
  `(?:uk|british|english|scottish|welsh)[ -]registered(?: (?:company|charity and company))?(?: ${NUMBER_WORD})?`,
  `(?:uk|english|scottish|welsh|british) (?:limited )?compan(?:y|ies)`,
  `registered (?:uk|in the uk) ${NUMBER_WORD}`,
  `compan(?:y|ies) limited by (?:guarantee|shares)`,
  `limited liability partnership`,
  `limited (?:company|partnership)`,
  `royal charter`,
  `(?:uk )?establishment ${NUMBER_WORD}`,
  `\\bcompany\\b`,
  `\\bco\\b\\.?(?= ?:? ?\\d)`,
  `\\bch (?:${NUMBER_WORD})`,
  `(?:england(?:,? (?:and|&) wales)?|wales|scotland|northern ireland) (?:${NUMBER_WORD})`,
  `reg(?:istered|d)?\\.? ?(?:in )?eng(?:\\.|land)(?: ?(?:&|and) wales)?`,
  `register of companies`,

  // Welsh
  `rhif (?:y |cofrestr(?:u|edig)?(?:['’]r)? ?(?:y )?)?(?:cwmni|gwmni)`,
  `(?:cwmni|gwmni) cyfyngedig`,
  `rhif cofrestr(?:u|edig)`,
  `(?:cwmni|gwmni) cofrestredig`,
  `cofrestrw?yd(?:ig)?(?: fel cwmni)? (?:yng? (?:nghymru|lloegr|nghaerdydd)|o['’]r|fel)(?: a lloegr| a chymru)?`,
  `(?:gofrestru|gofrestredig|cofrestredig) yng? (?:nghymru|lloegr)(?: a lloegr| a chymru)?`,
]

const GENERIC = [
  `(?:under|with)(?: the)? (?:reference|ref\\b\\.?|${NUMBER_WORD})`,
  `(?:registration|registered|reg\\b\\.?|regd\\b\\.?|regn\\b\\.?|incorporation)[ ,]{0,2}${NUMBER_WORD}`,
  `(?:registration|registered|reg\\b\\.?)`,
  `\\brhif\\b`,
  NUMBER_WORD,
]

const OTHER: Array<[pattern: string, of: string]> = [
  [
    `v\\.?a\\.?t\\.?(?: (?:registration|reg\\b\\.?|registered))?(?: ${NUMBER_WORD})?|\\btaw\\b|\\bbtw\\b|\\bust-?id`,
    'VAT',
  ],
  [
    `charit(?:y|ies) registered (?:in|with) (?:the )?(?:england(?:,? (?:and|&) wales)?|wales|scotland|northern ireland|charity commission)(?: (?:and|&) wales)?|(?:charit(?:y|ies|able)|elusen|oscr|charity commission)(?: (?:commission|registration|reg\\b\\.?|incorporated organisation))?(?: ${NUMBER_WORD})?`,
    'charity',
  ],
  [
    `fca\\b|financial conduct authority|\\bfrn\\b|firm reference(?: ${NUMBER_WORD})?|prudential regulation|\\bpra\\b|financial services (?:register|authority)|\\bfsa\\b`,
    'financial regulator',
  ],
  [`\\bsra\\b|solicitors regulation|law society|\\bclc\\b|bar standards`, 'legal regulator'],
  [
    `\\bico\\b|information commissioner(?:['’]s office)?|data protection (?:act )?(?:registration|register|reg\\b\\.?|${NUMBER_WORD})`,
    'data protection register',
  ],
  [
    `tele?phone|\\btel\\b\\.?|\\bfax\\b|\\bcall(?: us)?\\b|\\bphone\\b|\\bmobile\\b|\\bmob\\b\\.?|helpline|ffôn|\\bring\\b|whatsapp|switchboard`,
    'telephone',
  ],
  [
    `sort code|account (?:${NUMBER_WORD}|name)|\\bacc(?:oun)?t\\b\\.?(?: ${NUMBER_WORD})?|\\biban\\b|\\bbic\\b|\\bswift\\b|bank details`,
    'bank',
  ],
  [
    `\\bukprn\\b|\\burn\\b|ofsted(?: (?:registration|reg\\b\\.?))?(?: ${NUMBER_WORD})?|\\bcqc\\b|care quality commission|care inspectorate|\\bciw\\b|\\brqia\\b|provider id`,
    'care or education regulator',
  ],
  [`d-?u-?n-?s(?: ${NUMBER_WORD})?|\\beori\\b|\\blei\\b|\\butr\\b|unique taxpayer|\\bpaye\\b`, 'trade identifier'],
  [
    `iso ?\\d{4,5}|\\bbs ?en\\b|certificate(?: ${NUMBER_WORD})?|accreditation|trade ?mark(?: ${NUMBER_WORD})?|patents?(?: ${NUMBER_WORD})?|registered design(?: ${NUMBER_WORD})?`,
    'certificate or mark',
  ],
  [
    `order (?:ref(?:erence)?|${NUMBER_WORD}|id)|\\bref(?:erence)?\\b\\.?(?: ${NUMBER_WORD})?|\\bsku\\b|invoice(?: ${NUMBER_WORD})?|part ${NUMBER_WORD}|item(?: ${NUMBER_WORD})?|product (?:code|${NUMBER_WORD})|\\bisbn\\b|\\bissn\\b|quote\\b|booking(?: ${NUMBER_WORD})?|ticket|job (?:${NUMBER_WORD}|ref)|tracking|batch|serial(?: ${NUMBER_WORD})?|policy ${NUMBER_WORD}|last updated|updated`,
    'order or reference',
  ],
  [
    `\\babta\\b|\\batol\\b|gas ?safe(?: register)?|\\bniceic\\b|\\bnapit\\b|\\bchas\\b|\\bfensa\\b|\\bhetas\\b|\\bmcs\\b|trustmark|constructionline|\\brics\\b|\\bpropertymark\\b|\\barla\\b|\\bnaea\\b|membership(?: ${NUMBER_WORD})?|member ${NUMBER_WORD}|licen[cs]e(?: ${NUMBER_WORD})?|permit|waste carrier|enrolment ${NUMBER_WORD}|operator['’]?s licence|gambling commission|premises|food hygiene|planning|grant|approval ${NUMBER_WORD}|\\bgphc\\b|\\bgdc\\b|\\bgmc\\b|\\bnmc\\b|\\bhcpc\\b|\\brcvs\\b|\\bofgem\\b|\\bofcom\\b|\\bbafe\\b|\\bssaib\\b|\\bnsi\\b|\\bsafecontractor\\b|\\bawrs\\b|society ${NUMBER_WORD}|registered society|mutuals? (?:public )?(?:register|${NUMBER_WORD})|community benefit societ(?:y|ies)|co-?operative`,
    'licence or membership',
  ],
]

const FOREIGN: Array<[pattern: string, of: string]> = [
  [`\\bhrb\\b|\\bhra\\b|handelsregister(?:nummer)?|amtsgericht|registergericht|\\bhrg\\b`, 'Germany'],
  [`\\bkvk\\b(?:-?nummer)?|kamer van koophandel|(?:dutch )?chamber of commerce|\\brsin\\b`, 'the Netherlands'],
  [`\\bsiret\\b|\\bsiren\\b|\\brcs\\b|\\br\\.c\\.s\\.`, 'France'],
  [
    `\\bcro\\b(?: ${NUMBER_WORD})?|(?:registered|incorporated|company)(?: and registered)? in (?:the republic of )?(?:ireland|éire|dublin)|republic of ireland|irish compan(?:y|ies)`,
    'Ireland',
  ],
  [`(?:registered|incorporated|company|resident) in jersey|jersey (?:company|registered|financial)`, 'Jersey'],
  [`(?:registered|incorporated|company) in guernsey|guernsey (?:company|registered|registry)`, 'Guernsey'],
  [
    `(?:registered|incorporated|company) in the isle of man|isle of man (?:company|registered|registry)`,
    'the Isle of Man',
  ],
  [
    `(?:registered|incorporated|organi[sz]ed|formed)(?: and existing)? (?:in|under the laws of) (?:the )?(?:state of )?(?:delaware|california|new york|nevada|texas|florida|wyoming|usa|united states)|(?:delaware|california|nevada|texas|florida|new york|wyoming|washington|massachusetts) (?:corporation|company|limited liability company|llc)|state file ${NUMBER_WORD}|file ${NUMBER_WORD}|entity ${NUMBER_WORD}|\\bein\\b`,
    'the United States',
  ],
  [`\\babn\\b|\\bacn\\b`, 'Australia'],
  [`\\bnzbn\\b|new zealand compan(?:y|ies)`, 'New Zealand'],
  [
    `(?:irish|australian|german|dutch|french|swiss|danish|norwegian|swedish|maltese|cypriot|hong kong|jersey|guernsey|gibraltar) (?:compan(?:y|ies)|commercial|trade|business) (?:register|registry|registration)`,
    'another country',
  ],
  [`\\buen\\b|registered in singapore`, 'Singapore'],
  [`\\bcin\\b|registrar of companies,|registered in india`, 'India'],
  [`\\bcif\\b|\\bnif\\b|registro mercantil`, 'Spain'],
  [`partita iva|p\\.? ?iva|codice fiscale|\\brea\\b`, 'Italy'],
  [`\\bkrs\\b|\\bnip\\b|\\bregon\\b`, 'Poland'],
  [`org\\.? ?nr\\.?|organisasjonsnummer|foretaksregisteret|brønnøysund`, 'Norway'],
  [`organisationsnummer|bolagsverket`, 'Sweden'],
  [`\\bcvr\\b`, 'Denmark'],
  [`y-tunnus|business id`, 'Finland'],
  [`\\bhe ?(?=\\d{5,6})|registered in cyprus|cyprus (?:company|registered)`, 'Cyprus'],
  [`registered in malta|malta (?:company|registered|gaming)|maltese (?:company|limited)`, 'Malta'],
  [
    `(?:registered|incorporated|established|organi[sz]ed|seat(?:ed)?|company)(?: and existing)? (?:in|under the laws? of) (?:the )?(?:republic of |kingdom of )?(?:malta|cyprus|hong kong|british virgin islands|bvi|cayman islands|gibraltar|dubai|uae|switzerland|luxembourg|belgium|austria|canada|south africa|bulgaria|romania|estonia|curaçao|curacao|seychelles|portugal|sweden|norway|denmark|finland|germany|france|spain|italy|poland|netherlands|australia|new zealand|china|japan|israel|turkey|greece|hungary|czech republic|slovakia|slovenia|croatia|latvia|lithuania|iceland|liechtenstein|monaco|andorra|bermuda|panama|mauritius|singapore|india|thailand|malaysia)`,
    'another country',
  ],
  [`\\buid\\b|che-|firmenbuch|\\bfn ?\\d`, 'Austria or Switzerland'],
]

interface Rule {
  pattern: RegExp
  kind: Label['kind']
  of: string
}

const RULES: Rule[] = [
  ...FOREIGN.map(([pattern, of]) => ({ pattern: new RegExp(`(?:${pattern})`, 'giu'), kind: 'foreign' as const, of })),
  ...OTHER.map(([pattern, of]) => ({ pattern: new RegExp(`(?:${pattern})`, 'giu'), kind: 'other' as const, of })),
  { pattern: new RegExp(`(?:${COMPANY.join('|')})`, 'giu'), kind: 'company', of: 'company' },
  { pattern: new RegExp(`\\b(?:${GENERIC.join('|')})`, 'giu'), kind: 'generic', of: '' },
]

/** Returns every label in the text, in reading order; the longer of two that overlap. */
export function findLabels(text: string): Label[] {
  const all: Label[] = []
  for (const { pattern, kind, of } of RULES) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].trimEnd().length]
      if (end > start) all.push({ start, end, kind, of, text: match[0].trim() })
    }
  }
  all.sort((one, other) => other.end - other.start - (one.end - one.start))
  const kept: Label[] = []
  for (const label of all) {
    if (!kept.some((one) => one.start < label.end && label.start < one.end)) kept.push(label)
  }
  return kept.sort((one, other) => one.start - other.start)
}

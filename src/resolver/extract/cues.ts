/**
 * The wordings that give a company its role in a sentence, as data. Code branches on the ids, never on the words. A pattern
 * is matched against the text right before the name of the company (it ends where the name begins) or right after it.
 */
import type { Cue } from './cue.ts'
import { DEALS_BEFORE, LABELS, RUNS_AFTER, RUNS_BEFORE } from './operator-cues.ts'
import { DENIED, MADE, RELATED } from './other-cues.ts'

/** Wordings that only one world has, and no catalogue: on that world they are switched off to measure it honestly. */
const TAUGHT_BY: Record<string, readonly string[]> = {
  dev: [
    'took_over',
    'we_colon',
    'we_means_unquoted',
    'sold_in_uk_by',
    'the_company_behind',
    'group_means',
    'licenses_name',
    'in_brackets_parent',
    'site_design_label',
  ],
  market: ['site_run_for', 'statement_by'],
  snares: [
    'was_dissolved',
    'not_real',
    'site_property_of',
    'platform_run_by',
    'german_imprint',
    'provider_of',
    'who_runs_site',
  ],
  ledger: ['on_behalf_of'],
  parade: ['site_belongs_to', 'site_of'],
  'exam-1': [
    'until_year',
    'responsible_for_site',
    'our_name_is',
    'invoices_from',
    'services_on_site_by',
    'group_accounts',
    'acts_as_agent',
  ],
  'street-1': ['nothing_to_do', 'later_called_we'],
  strangers: ['site_content_of', 'is_our_name', 'that_is_us'],
  'fresh-4': ['previous_owner', 'made_before', 'owned_until', 'sister_of_site'],
}

const teacherOf = (id: string): string | null =>
  Object.entries(TAUGHT_BY).find(([, ids]) => ids.includes(id))?.[0] ?? null

export const CUES: readonly Cue[] = [
  ...DENIED,
  ...RUNS_BEFORE,
  ...DEALS_BEFORE,
  ...LABELS,
  ...RUNS_AFTER,
  ...RELATED,
  ...MADE,
].map((cue) => ({ ...cue, taughtBy: teacherOf(cue.id) }))

/** "Owned and maintained by" is not the credit of a web designer. */
export const OWNED = /\b(?:owned|operated|run|belongs)\b[^.;|]{0,40}$/i
/** Services that others do for a site. A company in such a sentence is a third party, even with the site's name. */
export const SERVICE =
  /\b(?:processed|handled|delivered|fulfilled|underwritten|insured|arranged|hosted|stored|employed|cooked|made|cut|leased|let|rented|collected|cleaned|audited|maintained|printed|administered by our|distributed|carried|shipped|posted|booked|ticketed|catered|guaranteed|sponsored|supported|funded|payable)\b[^.;]{0,30}\b(?:by|through|via|with|from|to)\s*(?:the )?$|\b(?:bursar\w*|sponsor\w*|catering|lunch|insurance|finance|credit|cover|payments?|deliver\w*|checkout|weddings?|camps?) (?:is |are )?(?:by|from|with|through)\s*(?:the )?$/i

/** A copyright line mostly names the site's owner, sometimes the author of a theme or a photograph. */
export const COPYRIGHT =
  /(?:©|\(c\)|\bcopyright\b|\bhawlfraint\b)[\s©:,]*(?:(?:19|20)\d\d(?:\s*[-–/]\s*(?:(?:19|20)?\d\d|present))?)?[\s,.:-]*(?:by )?$/i
export const OTHERS_WORK =
  /\b(?:theme|template|photos?|photographs?|images?|icons?|map data|fonts?|software|illustrations?|video|music|artwork)\b[^.;|\n]{0,40}$/i

export const NAME_OF =
  '(?:(?:a|the|one|each)? ?(?:registered )?(?:trading|working|business|brand|operating|trade|practice)[ -]?(?:names?|styles?|divisions?)|styles?|shops|titles|(?:a|the) (?:names?|brands?|divisions?|trading arm|business units?|service|product|website|site|publication|workshop|home|(?:online )?(?:shop|store)|title|studio|brands?)) (?:of|used by|owned by|belonging to|owned and operated by|operated by|from|by)'

export const TRADING_AS =
  /^[\s,(]*(?:\([^)]*\)[\s,]*)?(?:t\/as?|(?:(?:which|who) )?(?:trading|trades) (?:here |online |locally )?(?:as|under the name)|dba|d\/b\/a|doing business as|operating as|also known as|known as|sy['’]n masnachu fel)\b/i

/** Verbs of news articles; disclosures do not use them. */
export const NEWS_VERB =
  /^[\s,]*(?:has|had|have|was (?!incorporated|registered|formed|founded|established)|were|said|says|announced|wants?|will|plans?|went|launched|supplied|won|reported|told|made|saved|helped|faces?|owes?|expects?|denied|declined|opened|closed|bought|sold|appointed|dismissed|pleaded|admitted|collect|who|is (?:to|planning|expected|said|facing|seeking))\b/i

/** Words before a name that belong to a disclosure and do not show the role. */
export const BOILERPLATE_WORDS =
  /\b(?:terms (?:of (?:use|service|sale|business|trade)|(?:and|&) conditions)|conditions of (?:use|sale)|privacy (?:policy|notice)|cookie (?:policy|settings|preferences)|modern slavery statement|site ?map|accessibility|back to top|follow us|faqs?|sign in|newsletter|e&oe|copyright|hawlfraint|all rights reserved|registered(?: in)?(?: england(?: (?:and|&) wales)?| wales| scotland| northern ireland| the uk)?(?: as)?|registered office|trading since|est(?:ablished|d)?\.?|part of the furniture|since|in|the|mae|legal|terms|privacy|cookies?|contact|home|address|email|uk company|company|number|no|vat|reg\w*|footer|about|postal|correspondence|and|head office|principal place of business)\b/gi

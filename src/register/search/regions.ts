/** The twelve regions of the UK, by postcode area. An area that crosses a border belongs to the region with most of it. */

const AREAS_OF = {
  'north-east': 'DH DL NE SR TS',
  'north-west': 'BB BL CA CH CW FY L LA M OL PR SK WA WN',
  'yorkshire-and-the-humber': 'BD DN HD HG HU HX LS S WF YO',
  'east-midlands': 'DE LE LN NG NN',
  'west-midlands': 'B CV DY HR ST SY TF WR WS WV',
  'east-of-england': 'AL CB CM CO IP LU NR PE SG SS WD',
  london: 'BR CR E EC EN HA IG N NW RM SE SM SW TW UB W WC',
  'south-east': 'BN CT DA GU HP KT ME MK OX PO RG RH SL SO TN',
  'south-west': 'BA BH BS DT EX GL PL SN SP TA TQ TR',
  wales: 'CF LD LL NP SA',
  scotland: 'AB DD DG EH FK G HS IV KA KW KY ML PA PH TD ZE',
  'northern-ireland': 'BT',
} as const

export type Region = keyof typeof AREAS_OF

export const REGIONS = Object.keys(AREAS_OF) as Region[]

/** The regions by postcode area. The Channel Islands, the Isle of Man and addresses abroad have none. */
export const REGION_OF_AREA: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(AREAS_OF).flatMap(([region, areas]) => areas.split(' ').map((area) => [area, region])),
)

/** The area of a whole postcode without its space; other countries have codes that begin alike. */
export const AREA_PATTERN = '^([A-Z]{1,2})[0-9][A-Z0-9]?[0-9][A-Z]{2}$'

/** Returns the region of a whole postcode or of its outward part; null where it is none of the UK's. */
export function findRegion(postcode: string): string | null {
  const compact = postcode.toUpperCase().replaceAll(/\s/g, '')
  const area = new RegExp(AREA_PATTERN).exec(compact)?.[1] ?? /^([A-Z]{1,2})\d[A-Z\d]?$/.exec(compact)?.[1]
  return area === undefined ? null : (REGION_OF_AREA[area] ?? null)
}

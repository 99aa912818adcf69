/**
 * The weight of each feature, in bits: the base-2 logarithm of how much likelier it is on the company's own site than on
 * another. Number, name and office of one disclosure come from one sentence, so they are one feature with levels, not
 * three that add up.
 */
export const WEIGHTS_VERSION = '2026-11'

/** One company in 5.7 million, before any page is read. */
export const PRIOR = -22.4

export const DISCLOSURE = {
  number_name_office: 34,
  number_name: 31,
  number_previous_name: 30,
  number_similar_name: 27,
  number_brand: 29,
  number_alone: 16,
  number_listed: 14,
  number_conflict: 12,
} as const

export const NAME = {
  /** The most that a printed name can weigh; rarer words weigh more. */
  most: 19,
  previous: -2,
  brandOnly: -5,
} as const

/** The registered office beside the name, reduced if many companies share the postcode. */
export const OFFICE = 9

export const RELATION = { same: 5, contains: 3.5, shares: 1, none: -2 } as const

export const ROLE = { operator: 4, stated: 0, named: -2, related: -16, third_party: -18, denied: -24 } as const

export const CERTIFICATE = 30
export const STRUCTURED = 27

export const AGAINST = {
  dissolved: -7,
  rival: -9,
  foreignOperator: -14,
  franchise: -8,
  commentary: -10,
  notCompany: -10,
} as const

/** The forms that reach the filing history, with the words the register describes them in. */

export interface Form {
  category: string
  subcategory?: string | string[]
  description: string
}

export type FormCode = keyof typeof FORMS

const officers = (subcategory: string, description: string): Form => ({
  category: 'officers',
  subcategory,
  description,
})
const psc = (subcategory: string, description: string): Form => ({
  category: 'persons-with-significant-control',
  subcategory,
  description,
})
const insolvency = (subcategory: string | string[], description: string): Form => ({
  category: 'insolvency',
  subcategory,
  description,
})
const gazette = (description: string): Form => ({ category: 'gazette', description })

export const FORMS = {
  NEWINC: { category: 'incorporation', description: 'incorporation-company' },
  AA: { category: 'accounts', description: 'accounts-with-accounts-type-full' },
  AA01: { category: 'accounts', description: 'change-account-reference-date-company-current-extended' },
  CS01: { category: 'confirmation-statement', description: 'confirmation-statement-with-no-updates' },
  AD01: {
    category: 'address',
    description: 'change-registered-office-address-company-with-date-old-address-new-address',
  },
  CERTNM: {
    category: 'change-of-name',
    subcategory: 'certificate',
    description: 'certificate-change-of-name-company',
  },
  AP01: officers('appointments', 'appoint-person-director-company-with-name-date'),
  AP02: officers('appointments', 'appoint-corporate-director-company-with-name-date'),
  AP03: officers('appointments', 'appoint-person-secretary-company-with-name-date'),
  AP04: officers('appointments', 'appoint-corporate-secretary-company-with-name-date'),
  TM01: officers('termination', 'termination-director-company-with-name-termination-date'),
  TM02: officers('termination', 'termination-secretary-company-with-name-termination-date'),
  CH01: officers('change', 'change-person-director-company-with-change-date'),
  CH03: officers('change', 'change-person-secretary-company-with-change-date'),
  LLAP01: officers('appointments', 'appoint-person-member-limited-liability-partnership-with-appointment-date'),
  LLTM01: officers('termination', 'termination-member-limited-liability-partnership-with-name-termination-date'),
  LLCH01: officers('change', 'change-person-member-limited-liability-partnership-with-name-change-date'),
  PSC01: psc('notifications', 'notification-of-a-person-with-significant-control'),
  PSC02: psc('notifications', 'notification-of-a-person-with-significant-control'),
  PSC03: psc('notifications', 'notification-of-a-person-with-significant-control'),
  PSC04: psc('change', 'change-to-a-person-with-significant-control'),
  PSC05: psc('change', 'change-to-a-person-with-significant-control'),
  PSC07: psc('termination', 'cessation-of-a-person-with-significant-control'),
  MR01: {
    category: 'mortgage',
    subcategory: 'create',
    description: 'mortgage-create-with-deed-with-charge-number-charge-creation-date',
  },
  MR04: { category: 'mortgage', subcategory: 'satisfy', description: 'mortgage-satisfy-charge-full' },
  GAZ1: gazette('gazette-notice-compulsory'),
  'GAZ1(A)': gazette('gazette-notice-voluntary'),
  GAZ2: gazette('gazette-dissolved-compulsory'),
  'GAZ2(A)': gazette('gazette-dissolved-voluntary'),
  DISS40: gazette('gazette-filings-brought-up-to-date'),
  'DISS16(SOAS)': { category: 'dissolution', description: 'dissolved-compulsory-strike-off-suspended' },
  'SOAS(A)': { category: 'dissolution', description: 'dissolution-voluntary-strike-off-suspended' },
  DS01: { category: 'dissolution', description: 'dissolution-application-strike-off-company' },
  DS02: { category: 'dissolution', description: 'dissolution-withdrawal-application-strike-off-company' },
  AC92: { category: 'restoration', description: 'restoration-order-of-court' },
  RT01: { category: 'restoration', description: 'administrative-restoration-company' },
  '600': insolvency('voluntary', 'liquidation-voluntary-appointment-of-liquidator'),
  LIQ01: insolvency('voluntary', 'liquidation-voluntary-declaration-of-solvency'),
  LIQ02: insolvency('voluntary', 'liquidation-voluntary-statement-of-affairs'),
  LIQ03: insolvency('voluntary', 'liquidation-voluntary-statement-of-receipts-and-payments-with-brought-down-date'),
  LIQ13: insolvency('voluntary', 'liquidation-voluntary-members-return-of-final-meeting'),
  LIQ14: insolvency('voluntary', 'liquidation-voluntary-creditors-return-of-final-meeting'),
  COCOMP: insolvency(['compulsory', 'court-order'], 'liquidation-compulsory-winding-up-order'),
  WU04: insolvency('compulsory', 'liquidation-compulsory-appointment-liquidator'),
  WU15: insolvency('compulsory', 'liquidation-compulsory-return-final-meeting'),
  AM01: insolvency('administration', 'liquidation-in-administration-appointment-of-administrator'),
  AM10: insolvency('administration', 'liquidation-in-administration-progress-report'),
  AM22: insolvency('administration', 'liquidation-in-administration-move-to-creditors-voluntary-liquidation'),
  AM23: insolvency('administration', 'liquidation-in-administration-move-to-dissolution'),
  CVA1: insolvency(
    'voluntary-arrangement',
    'liquidation-voluntary-arrangement-meeting-approving-companies-voluntary-arrangement',
  ),
  CVA4: insolvency('voluntary-arrangement', 'liquidation-voluntary-arrangement-completion'),
  RM01: insolvency('receiver', 'liquidation-receiver-appointment-of-receiver'),
  RM02: insolvency('receiver', 'liquidation-receiver-cease-to-act-receiver'),
} satisfies Record<string, Form>

export interface FiledForm {
  form: FormCode
  /** The day it was processed. */
  on: string
  actionOn?: string
  values?: Record<string, unknown>
  /** In place of the form's own key. */
  description?: string
  transactionId?: string
}

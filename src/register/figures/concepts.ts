/** Which tags state which figure, by local name, across the taxonomies that accounts are filed in. */
export const MONEY_FIGURES = ['net_assets', 'current_assets', 'creditors', 'cash', 'turnover'] as const
export const FIGURES = ['employees', ...MONEY_FIGURES] as const
export type FigureName = (typeof FIGURES)[number]

/** The figures of one period, in whole pounds; null where the accounts do not tag one. */
export type Figures = Record<FigureName, number | null> & { is_dormant: boolean | null }

/** The present name first: where a document has both, it is the one that counts. */
const NAMES: Record<FigureName, readonly string[]> = {
  employees: ['AverageNumberEmployeesDuringPeriod', 'EmployeesTotal'],
  net_assets: ['NetAssetsLiabilities', 'NetAssetsLiabilitiesIncludingPensionAssetLiability'],
  current_assets: ['CurrentAssets'],
  creditors: ['Creditors', 'CreditorsDueWithinOneYear'],
  cash: ['CashBankOnHand', 'CashBankInHand'],
  turnover: ['TurnoverRevenue', 'TurnoverGrossOperatingRevenue'],
}

export type Concept =
  | { kind: 'figure'; figure: FigureName; rank: number }
  | { kind: 'dormant'; whenTrue: boolean }
  | { kind: 'number' }

export const CONCEPTS: ReadonlyMap<string, Concept> = new Map<string, Concept>([
  ...FIGURES.flatMap((figure) =>
    NAMES[figure].map((name, rank): [string, Concept] => [name, { kind: 'figure', figure, rank }]),
  ),
  ['EntityDormantTruefalse', { kind: 'dormant', whenTrue: true }],
  ['EntityDormant', { kind: 'dormant', whenTrue: true }],
  ['CompanyDormant', { kind: 'dormant', whenTrue: true }],
  ['CompanyNotDormant', { kind: 'dormant', whenTrue: false }],
  ['UKCompaniesHouseRegisteredNumber', { kind: 'number' }],
  ['CompaniesHouseRegisteredNumber', { kind: 'number' }],
])

/** A candidate as the protocol writes it, described by what distinguishes companies of one name. */
import { isPrevious, listTypes, type RankedCandidate, type ReconcileQuery } from '../../../reconcile/index.ts'
import { type Company, toNameKey } from '../../../register/index.ts'

export function presentCandidate(query: ReconcileQuery, candidate: RankedCandidate) {
  const { company, by, score, likeness, isLive, isCertain, hints } = candidate
  return {
    id: company.number,
    name: company.name,
    description: describeCompany(company, isPrevious(by) ? findFormerName(company, query.nameKey) : null),
    score,
    match: isCertain,
    type: listTypes(company.type),
    features: [
      ...(by === 'hint' || by === 'number' ? [] : [{ id: 'name_likeness', value: likeness }]),
      { id: 'previous_name', value: isPrevious(by) },
      { id: 'on_register', value: isLive },
      ...new Map(hints).entries().flatMap(([id, agrees]) => (agrees === null ? [] : [{ id, value: agrees }])),
    ],
  }
}

/** Describes what distinguishes companies of one name. `formerName` is the name it was found by, if not the current one. */
export function describeCompany(company: Company, formerName: string | null = null): string {
  const { number, status, incorporatedOn, dissolvedOn, address } = company
  const parts = [
    formerName && `was called ${formerName}`,
    number,
    status.replaceAll('-', ' '),
    incorporatedOn && `from ${incorporatedOn}`,
    dissolvedOn && `to ${dissolvedOn}`,
    [address.town, address.postcode].filter(Boolean).join(' '),
  ]
  return parts.filter(Boolean).join(' · ')
}

/** Returns the former name that was entered; without an exact match, the newest. */
function findFormerName({ previousNames }: Company, nameKey: string): string {
  const letters = nameKey.replaceAll(' ', '')
  const same = previousNames.find(({ name }) => toNameKey(name).replaceAll(' ', '') === letters)
  return (same ?? previousNames[0])?.name ?? 'something else'
}

/** Orders against people, who need not be officers of any company. */
import type { Register } from './register.ts'
import { type DisqualificationOrder, idOf, type NaturalDisqualification } from './resources.ts'

export type NewDisqualification = Pick<NaturalDisqualification, 'forename' | 'surname'> &
  Partial<Omit<NaturalDisqualification, 'disqualifications'>> & { orders?: Array<Partial<DisqualificationOrder>> }

/** Adds an undertaking of 2024 to 2034, or the orders that are given. Returns the id of the person. */
export function disqualify(register: Register, { orders = [{}], ...person }: NewDisqualification): string {
  const added: NaturalDisqualification = {
    kind: 'natural-disqualification',
    etag: register.ids.etag(),
    links: { self: `/disqualified-officers/natural/${register.ids.recordId()}` },
    title: 'Mr',
    nationality: 'British',
    ...person,
    disqualifications: orders.map((order) => ({
      disqualification_type: 'undertaking',
      disqualified_from: '2024-03-01',
      disqualified_until: '2034-02-28',
      undertaken_on: '2024-02-09',
      case_identifier: 'INV1234567',
      company_names: ['COLLAPSED TRADING LIMITED'],
      reason: {
        act: 'company-directors-disqualification-act-1986',
        description_identifier: 'order-or-undertaking-and-reporting-provisions',
        section: '7',
      },
      address: { locality: 'Leeds', country: 'United Kingdom' },
      ...order,
    })),
  }
  register.disqualified.push(added)
  return idOf(added)
}

/** Removes a disqualified person from the register. */
export function requalify(register: Register, id: string): void {
  const at = register.disqualified.findIndex((person) => idOf(person) === id)
  if (at >= 0) register.disqualified.splice(at, 1)
}

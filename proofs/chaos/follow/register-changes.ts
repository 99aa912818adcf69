/** Random changes to companies of the simulated register, each with the signals that must come of it. */

import type { SimulatedCompaniesHouse } from '../../../rig/companies-house/index.ts'
import { Random } from '../../../rig/random.ts'
import { countUp } from '../../../rig/statistics.ts'
import { addDaysToDate } from '../../../src/lib/clock.ts'

/** A company while it is changed. */
interface Subject {
  number: string
  /** Counts changes, so that every value is new and every date later than the last. */
  step: number
  accountsType: string
  directors: string[]
  charges: string[]
  pscs: string[]
  isInsolvent: boolean
  isStrikeOffProposed: boolean
}

/** Makes a change; returns the types of the signals that must come of it. */
type Change = (subject: Subject, day: { on: string }) => string[]

const ACCOUNTS_TYPES = ['micro-entity', 'dormant', 'total-exemption-full', 'small', 'full']
// Facts older than this before their event may pass in silence, so dates stay within it.
const DAYS = 75

export class RandomChanges {
  /** `number type` → how often that signal must exist. */
  readonly expected = new Map<string, number>()
  readonly #house: SimulatedCompaniesHouse
  readonly #subjects: Subject[]
  readonly #random: Random
  readonly #firstDay: string

  constructor(house: SimulatedCompaniesHouse, options: { today: string; seed: number }) {
    this.#house = house
    this.#firstDay = addDaysToDate(options.today, -DAYS)
    this.#random = new Random(options.seed)
    this.#subjects = house.companyNumbers().map((number) => ({
      number,
      step: 0,
      accountsType: '',
      directors: [],
      charges: [],
      pscs: [],
      isInsolvent: false,
      isStrikeOffProposed: false,
    }))
  }

  /** Makes one change to one company. */
  makeOne(): void {
    const subject = this.#random.pick(this.#subjects)
    if (!subject || subject.step >= DAYS) return this.#house.changes.touch(this.#subjects[0]?.number ?? '')
    subject.step += 1
    const change = this.#random.pick([...this.#anyTime(), ...this.#whenPossible(subject)])
    const signals = change(subject, { on: addDaysToDate(this.#firstDay, subject.step) })
    for (const type of signals) countUp(this.expected, `${subject.number} ${type}`)
  }

  #anyTime(): Change[] {
    const { changes } = this.#house
    return [
      ({ number, step }, day) => {
        changes.rename(number, `RENAMED ${number} ${step} LIMITED`, day)
        return ['name_changed']
      },
      ({ number, step }, day) => {
        const address = { address_line_1: `${step} High Street`, locality: 'Leeds', postal_code: `LS1 ${step % 10}AA` }
        changes.changeRegisteredOffice(number, address, day)
        return ['registered_office_changed']
      },
      ({ number, step }, day) => {
        changes.changeSicCodes(number, [String(10_000 + step)], day)
        return ['sic_codes_changed', 'confirmation_filed']
      },
      (subject, { on }) => {
        const before = subject.accountsType
        subject.accountsType = ACCOUNTS_TYPES[subject.step % ACCOUNTS_TYPES.length] ?? 'small'
        changes.fileAccounts(subject.number, { madeUpTo: on, type: subject.accountsType, on })
        // The first accounts ever filed raise no change of their type.
        const isOther = before !== '' && before !== subject.accountsType
        return isOther ? ['accounts_filed', 'accounts_type_changed'] : ['accounts_filed']
      },
      ({ number }, { on }) => {
        changes.fileConfirmationStatement(number, { madeUpTo: on, on })
        return ['confirmation_filed']
      },
      ({ number, step, directors }, day) => {
        directors.push(changes.appointOfficer(number, { name: `DIRECTOR, Number ${step}` }, day))
        return ['director_appointed']
      },
      ({ number, charges }, { on }) => {
        charges.push(changes.registerCharge(number, { createdOn: on, on }))
        return ['charge_registered']
      },
      ({ number, step, pscs }, day) => {
        pscs.push(changes.notifyPsc(number, { name: `Owner ${step}` }, day))
        return ['psc_changed']
      },
      ({ number }) => {
        changes.touch(number)
        return []
      },
    ]
  }

  #whenPossible({ directors, charges, pscs, isInsolvent, isStrikeOffProposed }: Subject): Change[] {
    const { changes } = this.#house
    const possible: Array<[isPossible: boolean, change: Change]> = [
      [
        directors.length > 0,
        ({ number }, day) => {
          changes.resignOfficer(number, directors.shift() ?? '', day)
          return ['director_resigned']
        },
      ],
      [
        charges.length > 0,
        ({ number }, day) => {
          changes.satisfyCharge(number, charges.shift() ?? '', day)
          return ['charge_satisfied']
        },
      ],
      [
        pscs.length > 0,
        ({ number }, day) => {
          changes.ceasePsc(number, pscs.shift() ?? '', day)
          return ['psc_changed']
        },
      ],
      [
        !isInsolvent,
        (subject, day) => {
          subject.isStrikeOffProposed = !isStrikeOffProposed
          if (isStrikeOffProposed) changes.discontinueStrikeOff(subject.number, day)
          else changes.proposeStrikeOff(subject.number, day)
          return [isStrikeOffProposed ? 'strike_off_discontinued' : 'strike_off_proposed']
        },
      ],
      [
        !isInsolvent && !isStrikeOffProposed,
        (subject, day) => {
          subject.isInsolvent = true
          changes.becomeInsolvent(subject.number, day)
          return ['insolvency_started', 'status_changed']
        },
      ],
    ]
    return possible.filter(([isPossible]) => isPossible).map(([, change]) => change)
  }
}

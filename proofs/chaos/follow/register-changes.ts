/** Random changes to companies of the simulated register, each with the signals that must come of it. */

import type { SimulatedCompaniesHouse } from '../../../rig/companies-house/index.ts'
import { Random } from '../../../rig/random.ts'
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
  insolvencyCase: number | string | null
  isStrikeOffProposed: boolean
}

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
      insolvencyCase: null,
      isStrikeOffProposed: false,
    }))
  }

  /** Makes one change to one company. */
  makeOne(): void {
    const subject = this.#random.pick(this.#subjects)
    if (!subject || subject.step >= DAYS) return this.#house.changes.touch(this.#subjects[0]?.number ?? '')
    subject.step += 1
    const change = this.#random.pick([...this.#anyTime(), ...this.#whenPossible(subject)])
    change(subject, addDaysToDate(this.#firstDay, subject.step))
  }

  #anyTime(): Array<(subject: Subject, on: string) => void> {
    const { changes } = this.#house
    return [
      ({ number, step }, on) => {
        changes.rename(number, `RENAMED ${number} ${step} LIMITED`, { on })
        this.#expect(number, 'name_changed')
      },
      ({ number, step }, on) => {
        changes.changeRegisteredOffice(
          number,
          { address_line_1: `${step} High Street`, locality: 'Leeds', postal_code: `LS1 ${step % 10}AA` },
          { on },
        )
        this.#expect(number, 'registered_office_changed')
      },
      ({ number, step }, on) => {
        changes.changeSicCodes(number, [String(10_000 + step)], { on })
        this.#expect(number, 'sic_codes_changed')
        this.#expect(number, 'confirmation_filed')
      },
      (subject, on) => {
        const type = ACCOUNTS_TYPES[subject.step % ACCOUNTS_TYPES.length] ?? 'small'
        changes.fileAccounts(subject.number, { madeUpTo: on, type, on })
        this.#expect(subject.number, 'accounts_filed')
        // The first accounts ever filed raise no change of their type.
        if (subject.accountsType !== '' && type !== subject.accountsType)
          this.#expect(subject.number, 'accounts_type_changed')
        subject.accountsType = type
      },
      ({ number }, on) => {
        changes.fileConfirmationStatement(number, { madeUpTo: on, on })
        this.#expect(number, 'confirmation_filed')
      },
      (subject, on) => {
        subject.directors.push(
          changes.appointOfficer(subject.number, {
            name: `DIRECTOR, Number ${subject.step}`,
            officer_role: 'director',
            on,
          }),
        )
        this.#expect(subject.number, 'director_appointed')
      },
      (subject, on) => {
        subject.charges.push(changes.registerCharge(subject.number, { createdOn: on, on }))
        this.#expect(subject.number, 'charge_registered')
      },
      (subject, on) => {
        subject.pscs.push(changes.notifyPsc(subject.number, { name: `Owner ${subject.step}`, on }))
        this.#expect(subject.number, 'psc_changed')
      },
      ({ number }) => changes.touch(number),
    ]
  }

  #whenPossible(subject: Subject): Array<(subject: Subject, on: string) => void> {
    const { changes } = this.#house
    const possible: Array<(subject: Subject, on: string) => void> = []
    if (subject.directors.length > 0) {
      possible.push(({ number, directors }, on) => {
        changes.resignOfficer(number, directors.shift() ?? '', { on })
        this.#expect(number, 'director_resigned')
      })
    }
    if (subject.charges.length > 0) {
      possible.push(({ number, charges }, on) => {
        changes.satisfyCharge(number, charges.shift() ?? '', { on })
        this.#expect(number, 'charge_satisfied')
      })
    }
    if (subject.pscs.length > 0) {
      possible.push(({ number, pscs }, on) => {
        changes.ceasePsc(number, pscs.shift() ?? '', { on })
        this.#expect(number, 'psc_changed')
      })
    }
    if (!subject.insolvencyCase) {
      possible.push((each, on) => {
        if (each.isStrikeOffProposed) {
          changes.discontinueStrikeOff(each.number, { on })
          this.#expect(each.number, 'strike_off_discontinued')
        } else {
          changes.proposeStrikeOff(each.number, { on })
          this.#expect(each.number, 'strike_off_proposed')
        }
        each.isStrikeOffProposed = !each.isStrikeOffProposed
      })
    }
    if (!subject.insolvencyCase && !subject.isStrikeOffProposed) {
      possible.push((each, on) => {
        each.insolvencyCase = changes.becomeInsolvent(each.number, { on })
        this.#expect(each.number, 'insolvency_started')
        this.#expect(each.number, 'status_changed')
      })
    }
    return possible
  }

  #expect(number: string, type: string): void {
    const key = `${number} ${type}`
    this.expected.set(key, (this.expected.get(key) ?? 0) + 1)
  }
}

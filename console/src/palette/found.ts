/** Something that “Find anything” lists. */
export interface Found {
  title: string
  detail?: string
  /** Below /console; with `isOutside` an address of the site. */
  href: string
  isOutside?: true
}

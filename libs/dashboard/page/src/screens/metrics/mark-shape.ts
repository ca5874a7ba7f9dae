/** The path of a mark: a circle for delays, a diamond for complaints. */
export function markShape(name: string, x: number, y: number, radius: number): string {
  return name === 'delayed'
    ? `M${x - radius},${y}a${radius},${radius} 0 1,0 ${2 * radius},0a${radius},${radius} 0 1,0 ${-2 * radius},0Z`
    : `M${x},${y - radius}l${radius},${radius}l${-radius},${radius}l${-radius},${-radius}Z`;
}

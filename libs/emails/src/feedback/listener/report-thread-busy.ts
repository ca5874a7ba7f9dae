/** Other reports took the time: the sender should try again. */
export class ReportThreadBusy extends Error {
  override readonly name = 'ReportThreadBusy';
}

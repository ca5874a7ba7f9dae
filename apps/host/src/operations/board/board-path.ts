/** Where the queue board is. */
export const BOARD_PATH = '/admin/queues';

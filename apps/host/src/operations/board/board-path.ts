/** Path of the queue board. */
export const BOARD_PATH = '/admin/queues';

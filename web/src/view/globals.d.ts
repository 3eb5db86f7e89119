/** Address of the bundle that draws, relative to the page; set by the build. */
declare const VIEW_WORKER_URL: string;

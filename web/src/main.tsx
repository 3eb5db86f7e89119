import "./style.css";

document.title = "Farhand";

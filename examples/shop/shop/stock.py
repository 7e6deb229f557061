"""What is on the shelf."""

from dataclasses import dataclass, field


@dataclass
class Shelf:
    """Units by product name; `reserved` ones are promised but still there."""

    units: dict[str, int] = field(default_factory=dict)
    reserved: dict[str, int] = field(default_factory=dict)


def get_stock(shelf: Shelf, product: str) -> int:
    """Units of `product` that can still be promised to somebody."""
    return shelf.units.get(product, 0) - shelf.reserved.get(product, 0)
